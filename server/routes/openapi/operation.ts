/** One address of this server as it is described: what it takes, what it answers, and who may ask. */

import type { z } from 'zod'
import type { ProblemCode } from '../../api/problem-codes.ts'
import type { SchemaName } from './schemas.ts'

export const TAGS = {
  Payouts:
    'Money to wallets, bank accounts and businesses. The reference of a payout is its idempotency key.',
  Charges:
    'Money from payers, with shares for partner accounts. A charge has a second half: whether it was served.',
  Airtime: 'Airtime for one phone or for many. The reference is the idempotency key.',
  Records: 'What became of checkouts, charges, payouts and airtime, and what you were told of it.',
  Rates: 'What the gateway says of exchange rates and of the float account.',
  Checkout: 'For the widget, for plain forms, and for shoppers who come back.',
  Callbacks: 'For the gateway.',
  Health: 'For operators.',
} as const

export interface Operation {
  method: 'GET' | 'POST'
  /** As it is routed: `/api/payouts/:reference`. */
  path: string
  id: string
  tag: keyof typeof TAGS
  summary: string
  /** Paragraphs of plain text. */
  description?: string
  /** Off while MERCHANT_API_KEY is not set. */
  needsKey: boolean
  /** The `:name` parts of the path, in words or with their values. */
  parameters?: Readonly<Record<string, string | { description: string; values: readonly string[] }>>
  query?: z.ZodObject
  body?: Body
  answers: readonly Answer[]
  /** How it may refuse, beside what every address may answer. */
  problems: readonly ProblemCode[]
}

export interface Body {
  schema: SchemaName
  types: readonly ('application/json' | 'application/x-www-form-urlencoded')[]
  example: object
}

export interface Answer {
  status: number
  description: string
  content?: { type: 'application/json'; schema: SchemaName } | { type: 'text/event-stream' | 'text/html' }
}

/** "/api/payouts/:reference" as OpenAPI writes it: "/api/payouts/{reference}". */
export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

export function json(status: number, description: string, schema: SchemaName): Answer {
  return { status, description, content: { type: 'application/json', schema } }
}
