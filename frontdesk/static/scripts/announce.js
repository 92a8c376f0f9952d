// Says something to users of screen readers.

/** @param {string} text */
export function announce(text) {
  const message = document.createElement("p");
  message.className = "visually-hidden";
  message.textContent = text;
  document.querySelector(".toasts")?.append(message);
}
