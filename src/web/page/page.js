/** Access to the elements of the page. */

/**
 * The element with an id. Throws if the page has none of this kind.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind]
 * @returns {T}
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (!element || (kind && !(element instanceof kind))) throw new Error(`no element '${id}'`);
  return /** @type {T} */ (element);
}
