/** The problem document as a schema, for whoever reads one and for the description of this server. */

import type { Problem } from '../contract/view.ts'
import { z } from 'zod'

export const ProblemSchema: z.ZodType<Problem> = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe('A sentence for people.'),
  code: z.string().describe('Stable: branch on this.'),
  retryable: z.boolean().describe('Whether the same request may succeed later.'),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).exactOptional(),
  gateway: z
    .object({ status_code: z.int(), status_description: z.string(), message: z.string() })
    .describe('What the gateway said, where it refused.')
    .exactOptional(),
})
