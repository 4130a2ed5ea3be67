// Requests to the server that are answered with JSON.

/** Send a request, with POST if it has a body, and return {status, body}. The status is 0 if there is no answer. */
export async function ask(path, { key = "", body } = {}) {
  const headers = key ? { Authorization: `Bearer ${key}` } : {};
  const request = body === undefined ? { headers } : { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
  try {
    const answer = await fetch(path, request);
    return { status: answer.status, body: await (answer.ok ? answer.json() : answer.json().catch(() => null)) };
  } catch { // an incomplete text is not valid JSON
    return { status: 0, body: { error: "The server cannot be reached. Is it still running?" } };
  }
}

/** The key in a pasted text, which is a link or the part after its #. */
export const keyIn = (text) => withHash(text).slice(withHash(text).lastIndexOf("#") + 1).trim();

/** Restore the # of a link in which a mail or chat program has replaced it by %23. */
export const withHash = (link) => link.replace("%23", "#");

/** The key after the # of this page's address, or "" if there is none or it is incomplete. */
export function keyOfPage() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}
