/** Defines the schemas of the merchant's credentials and of access tokens. [spec: Credentials and token] */

import { z } from 'zod'

import { nonEmpty, text, wholeNumber } from './fields.ts'
import { LONGEST } from './lengths.ts'
import { field } from './openapi-field.ts'

/** The keys of one environment. [assumed] A key has at most 255 characters. */
export const Credentials = z.object({
  consumer_key: field(text(LONGEST.credential), 'Key from the merchant portal.', 'sandbox-key'),
  consumer_secret: field(text(LONGEST.credential), 'Its secret.', 'sandbox-secret'),
})
export type Credentials = z.output<typeof Credentials>

const seconds = field(wholeNumber(1), 'Lifetime of the token, in seconds.', 3600)

/**
 * An access token of the gateway. `expiresIn` is the token's lifetime in seconds; null if the gateway's response does
 * not contain a lifetime. The spec also names this field `expires_in`, and shows its value as a number and as text. All
 * these forms are accepted. [spec: Credentials and token]
 */
export const Token = z
  .object({
    access_token: field(nonEmpty, 'Goes into the header of every other request.', 'f3c1a2'),
    expiresIn: seconds.optional().catch(undefined),
    expires_in: seconds.optional().catch(undefined),
  })
  .transform(({ access_token, expiresIn, expires_in }) => ({
    access_token,
    expiresIn: expiresIn ?? expires_in ?? null,
  }))
export type Token = z.output<typeof Token>
