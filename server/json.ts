import { isNoDeeperThan } from './contract/depth.ts'

/**
 * The maximum depth of nested objects and lists. `JSON.parse` takes any depth, but the value could then not be converted
 * to text again: `JSON.stringify` would overflow the stack. [assumed]
 */
export const MAX_LEVELS = 100

/** Parses JSON text. Returns `undefined` if the text is not JSON, or is nested more than {@link MAX_LEVELS} deep. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isNoDeeperThan(MAX_LEVELS, value) ? value : undefined
  } catch {
    return undefined
  }
}
