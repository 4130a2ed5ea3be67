// One letter is no word to look for: it would find every page.
"use strict";

addEventListener("keyup", (event) => {
  if (!event.target.classList?.contains("md-search__input")) return;
  const letter = event.target.value.trim().length === 1;
  document.querySelector(".md-search__output").hidden = letter;
  if (letter) event.stopImmediatePropagation();
}, true);
