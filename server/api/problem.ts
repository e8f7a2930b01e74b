/** How this server answers every failure: RFC 9457. */

import { z } from 'zod'
import { PROBLEM_CODES } from './problem-codes.ts'

/** A field, by its path, and the rule that it breaks: "must be at most 64 characters". */
const FieldError = z.object({ path: z.string(), message: z.string() })
export type FieldError = z.output<typeof FieldError>

export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe('A sentence for people.'),
  code: z.enum(PROBLEM_CODES).describe('Stable: branch on this.'),
  retryable: z.boolean().describe('Whether the same request may succeed later.'),
  errors: z.array(FieldError).exactOptional(),
  gateway: z
    .object({ status_code: z.int(), status_description: z.string(), message: z.string() })
    .describe('What the gateway said, where it refused.')
    .exactOptional(),
})
export type Problem = z.output<typeof Problem>
