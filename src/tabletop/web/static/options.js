// The options of a game as form fields.

import { make } from "./dom.js";

/** Create a field for an option: {name, label, type, default, choices, help, low, high}. */
export function optionField(option) {
  const id = `option-${option.name}`;
  const help = option.help ? make("p", { class: "remark", id: `${id}-help` }, option.help) : null;
  const field = control(option, id, help ? `${id}-help` : undefined);
  if (option.type === "bool") return make("div", { class: "option" }, make("label", { class: "check", for: id }, field, option.label), help);
  return make("div", { class: "option" }, make("label", { for: id }, option.label), field, help);
}

function control({ type, choices, low, high, default: usual }, id, describedBy) {
  const common = { id, "aria-describedby": describedBy };
  if (type === "bool") return make("input", { ...common, type: "checkbox", checked: usual === true });
  if (choices?.length) {
    const blank = choices.includes(usual) ? [] : [make("option", { value: "", selected: true }, "default")];
    return make("select", common, blank, choices.map((value) => make("option", { value: String(value), selected: value === usual }, String(value))));
  }
  const placeholder = usual === null || usual === "" ? "default" : String(usual);
  if (type === "int" || type === "float") {
    return make("input", { ...common, type: "number", placeholder, min: low ?? undefined, max: high ?? undefined, step: type === "int" ? "1" : "any" });
  }
  return make("textarea", { ...common, rows: 1, placeholder, spellcheck: false });
}

/** Return the values that differ from the defaults: {name: value}. Throw an Error for an invalid value. */
export function readOptions(form, options) {
  const chosen = {};
  for (const option of options) {
    const field = form.querySelector(`#${CSS.escape(`option-${option.name}`)}`);
    const value = read(field, option);
    if (value !== undefined && value !== option.default) chosen[option.name] = value;
  }
  return chosen;
}

function read(field, { label, type, low, high }) {
  if (type === "bool") return field.checked;
  if (!field.checkValidity()) {
    const range = low !== undefined && high !== undefined && low !== null && high !== null ? ` from ${low} to ${high}` : "";
    throw new Error(`${label}: ${type === "int" ? "a whole number" : "a number"}${range} is required.`);
  }
  if (field.value.trim() === "") return undefined;
  return type === "int" || type === "float" ? Number(field.value) : field.value;
}
