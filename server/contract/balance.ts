/** Defines the schema of the balance of a float account. [spec: Float account balance] */

import { z } from 'zod'
import { field } from './description.ts'
import { decimal, nonEmpty, optionalText } from './fields.ts'

/** The available balance of a float account, which holds the merchant's money for payouts. */
export const Balance = z
  .object({
    balance: field(decimal, 'Available balance, as decimal text in major units of currency.', '1000000.00'),
    currency: field(nonEmpty, 'Currency of the account, ISO 4217.', 'KES'),
    status: field(optionalText, "The gateway's status of the account. Null when not reported.", 'ACTIVE'),
  })
  .meta({ id: 'Balance', description: 'The balance of the float account.' })
export type Balance = z.output<typeof Balance>
