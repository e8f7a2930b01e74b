/** Credentials, tokens and the float account. [spec: Credentials and token, Float account balance] */

import { z } from 'zod'
import { decimal, optionalText, text } from './fields.ts'

export const Credentials = z.object({
  consumer_key: text(255),
  consumer_secret: text(255),
})
export type Credentials = z.output<typeof Credentials>

const seconds = z.coerce.number().positive()

/**
 * `expiresIn` is the lifetime in seconds; null when it is unknown. The spec also names it `expires_in`, as text; both are
 * accepted. [spec: Credentials and token]
 */
export const Token = z
  .object({
    access_token: z.string().min(1),
    expiresIn: seconds.optional().catch(undefined),
    expires_in: seconds.optional().catch(undefined),
  })
  .transform(({ access_token, expiresIn, expires_in }) => ({
    access_token,
    expiresIn: expiresIn ?? expires_in ?? null,
  }))
export type Token = z.output<typeof Token>

/** `balance` is decimal text in the float account's currency. */
export const Balance = z.object({
  balance: decimal,
  currency: z.string().min(1),
  status: optionalText,
})
export type Balance = z.output<typeof Balance>
