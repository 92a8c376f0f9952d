// Swagger UI for this site's own descriptions. The validator is off, because it would call another host.
const place = /** @type {HTMLElement} */ (document.getElementById("reference"));
const { SwaggerUIBundle } = /** @type {any} */ (window);
SwaggerUIBundle({
  url: place.dataset.description,
  domNode: place,
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
});
