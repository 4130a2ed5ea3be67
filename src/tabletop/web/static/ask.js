// Questions to the server that are answered with JSON.

/** What the server answers: {status, body}; status 0 when it cannot be reached, or the line breaks first. A body is sent with POST. */
export async function ask(path, { key = "", body } = {}) {
  const headers = key ? { Authorization: `Bearer ${key}` } : {};
  const request = body === undefined ? { headers } : { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
  try {
    const answer = await fetch(path, request);
    return { status: answer.status, body: await (answer.ok ? answer.json() : answer.json().catch(() => null)) };
  } catch { // a text that breaks off is no JSON
    return { status: 0, body: { error: "The server cannot be reached. Is it still running?" } };
  }
}

/** The key in what somebody has pasted: a link, or what stands behind its #. */
export const keyIn = (text) => withHash(text).slice(withHash(text).lastIndexOf("#") + 1).trim();

/** A link whose # a mail or chat program has written as %23, with the #. */
export const withHash = (link) => link.replace("%23", "#");

/** The key behind the # of this page's address; "" for none, and for one that is cut off. */
export function keyOfPage() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}
