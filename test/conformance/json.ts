/** Whatever JSON brings: the checks say what it has to be. */
export type Json = Awaited<ReturnType<Response['json']>>

/** `null` for what is no JSON. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
