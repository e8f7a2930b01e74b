/** Fills a value into a text with a placeholder. The value keeps its own direction in a text of any direction. */
export function fillIn(text: string, placeholder: string, value: string): string {
  return text.replace(placeholder, () => `\u2068${value}\u2069`)
}
