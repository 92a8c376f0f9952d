// A picture can be dropped on its field. A photo that is larger than the server takes is made smaller before it is sent.
import { fieldOf, find, findAll, findInput, get, submitterOf } from "../dom.js";

const LONGEST_SIDE = 2400;

/** @param {File} file */
async function shrink(file) {
  const image = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(image.width, image.height));
  const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const smaller = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 });
  return new File([smaller], file.name, { type: "image/jpeg" });
}

/**
 * @param {HTMLInputElement} input
 * @param {File | null | undefined} file
 */
function choose(input, file) {
  const chosen = new DataTransfer();
  if (file) chosen.items.add(file);
  input.files = chosen.files;
}

/**
 * @param {HTMLInputElement} input
 * @param {File} file
 */
async function fit(input, file) {
  const most = Number(input.dataset.maxBytes);
  const small = file.size <= most ? file : await shrink(file).catch(() => null);
  if (input.files?.[0] !== file) return; // another one was chosen meanwhile
  const sent = small && small.size <= most ? small : null;
  if (sent !== file) choose(input, sent);
  const error = /** @type {HTMLTemplateElement} */ (
    get("[data-too-large]", /** @type {Element} */ (input.closest(".field")))
  );
  error.nextElementSibling?.remove();
  if (!sent) error.after(error.content.cloneNode(true));
}

/** @type {Promise<void> | null} */
let fitting = null;

document.addEventListener("change", (event) => {
  const input = fieldOf(event);
  const [file] = input.files ?? [];
  if (!file || !input.dataset.maxBytes) return;
  const started = fit(input, file).finally(() => {
    if (fitting === started) fitting = null;
  });
  fitting = started;
});

document.addEventListener(
  "submit",
  (event) => {
    if (!fitting) return;
    const form = /** @type {HTMLFormElement} */ (event.target);
    event.preventDefault();
    event.stopImmediatePropagation();
    fitting.then(() => find("[data-too-large] + .error", form) || form.requestSubmit(submitterOf(event)));
  },
  true,
);

for (const field of findAll(".drop:has([data-max-bytes])")) {
  field.addEventListener("dragover", (event) => event.preventDefault());
  field.addEventListener("drop", (event) => {
    event.preventDefault();
    const input = findInput("[data-max-bytes]", field);
    const [file] = event.dataTransfer?.files ?? [];
    if (!input || !file) return;
    choose(input, file);
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
}
