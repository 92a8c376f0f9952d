// A part of the page in which a button is being pressed is not replaced before it is released: the click would be lost.

/** @type {EventTarget | null} */
let pressed = null;
let end = Promise.resolve();

document.addEventListener("pointerdown", ({ target }) => {
  pressed = target;
  end = new Promise((resolve) => {
    for (const name of ["pointerup", "pointercancel"]) {
      document.addEventListener(name, () => setTimeout(resolve), { once: true });
    }
  });
});

/** @param {Element | null} part */
export const released = (part) => (pressed instanceof Node && part?.contains(pressed) ? end : Promise.resolve());
