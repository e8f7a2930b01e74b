/** Any JSON value; the checks decide what it has to be. */
export type Json = Awaited<ReturnType<Response['json']>>

/** `null` when the text is not JSON. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
