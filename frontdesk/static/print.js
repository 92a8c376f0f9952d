"use strict";

const button = document.querySelector("button#print, [data-print]");
button.hidden = false;
button.addEventListener("click", () => print());
