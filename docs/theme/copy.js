// Copying a dialogue copies what was typed: its prompts and answers stay where they are. The button
// of the theme takes `data-copy` where there is one.

function typed(text) {
  const lines = [];
  let goes_on = /^$/; // what the next line begins with when it goes on with this one
  for (const line of text.split("\n")) {
    const begun = /^(?:>>>|\$) /.exec(line) ?? goes_on.exec(line);
    if (begun && line) lines.push(line.slice(begun[0].length));
    const is_shell = line.startsWith("$ ") || goes_on.source === "^";
    if (is_shell) goes_on = line.endsWith("\\") ? /^/ : /^$/;
    else goes_on = begun && line ? /^\.\.\.(?: |$)/ : /^$/;
  }
  return lines.join("\n");
}

for (const code of document.querySelectorAll("pre > code")) {
  if (/^(?:>>>|\$) /m.test(code.textContent)) {
    code.parentElement.setAttribute("data-copy", typed(code.textContent));
  }
}
