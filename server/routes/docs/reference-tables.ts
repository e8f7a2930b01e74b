/**
 * The tables of names on the page `/docs`: what a page writes (the element), the commands, and the environment
 * variables.
 */

import { z } from 'zod'
import { VARIABLE_ROWS } from '../../config/variables.ts'
import reference from './reference.json'

const ReferenceTable = z.object({
  id: z.string(),
  title: z.string(),
  rows: z.array(
    z.object({
      name: z.string(),
      /** The value without which the name has the same meaning, or "required". */
      fallback: z.string().exactOptional(),
      /** Lines of text. Parts in backquotes are code. */
      text: z.string(),
    }),
  ),
})

export type ReferenceTable = z.output<typeof ReferenceTable>

export const VARIABLES_TABLE: ReferenceTable = {
  id: 'Configuration',
  title: 'Environment variables',
  rows: VARIABLE_ROWS.map(([name, { text, required, fallback, file }]) => ({
    name,
    ...(fallback !== undefined && { fallback: `\`${fallback}\`` }),
    ...(required && { fallback: 'required' }),
    text: file ? `${text} Also as \`${name}_FILE\`; while it is replaced, \`${name}_PREVIOUS\`.` : text,
  })),
}

/** Reads `reference.json`, which `npm run reference` writes from the element's manifest and from the commands. */
export function referenceTables(): ReferenceTable[] {
  return [...z.array(ReferenceTable).parse(reference.tables), VARIABLES_TABLE]
}
