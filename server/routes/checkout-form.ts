/** The fields with which a shopper's page names an order and its payer, and a checkout. */

import { z } from 'zod'

import { atMost } from '../contract/fields.ts'
import { LONGEST } from '../contract/lengths.ts'
import { field, text } from '../contract/openapi-field.ts'
import { cleanName, isBlank, withoutControls } from '../contract/text.ts'
import { orderReference } from '../orders/order.ts'

/** The element's attribute `order`: the reference of an order, or a signed order if the configuration says so. */
export const OrderText = field(
  z.preprocess(
    (value) => (typeof value === 'string' ? value.trim() : value),
    orderReference(LONGEST.order).meta({ minLength: 1 }),
  ),
  `The order: a reference or a signed order, as the configuration says. 1–${LONGEST.order} printable ASCII characters, and single spaces within.`,
  'demo-1500-kangas',
)

/**
 * Returns the last part of an address up to its last letter, digit, dash or underscore. Chats, mails and people add what
 * stands behind an address in a sentence: a full stop, a bracket, an invisible mark. Ids that this server makes end so.
 */
export function withoutPunctuation(text: string): string {
  let end = text.length
  // A pattern that is tied to the end would begin anew at each sign of a long address.
  while (end > 0 && !/[\w-]/.test(text.charAt(end - 1))) {
    end -= 1
  }
  return text.slice(0, end)
}

/** The order in an address: a text that can name none is read without what stands behind it. */
export const AddressedOrder = z.preprocess(
  (value) =>
    typeof value === 'string' && !OrderText.safeParse(value).success ? withoutPunctuation(value) : value,
  OrderText,
)

/** The path parameter of every route about a single checkout. */
export const CheckoutPath = z.object({
  checkout_id: text('Id of the checkout. Whoever knows it may read the view.', 'pZ0R4uXbTn2vM8kQwY6sLg'),
})

/** Describes an optional form field with at most `max` characters. A blank field counts as absent. */
const optional = (max: number, description: string, example: string) =>
  field(
    atMost(z.string({ error: 'must be text' }).overwrite(withoutControls).trim(), max)
      .optional()
      .transform((value) => (value === undefined || isBlank(value) ? undefined : value)),
    description,
    example,
  )

export const CountryText = optional(
  35,
  'Country that completes a national phone number, ISO 3166-1 alpha-2. Of an unknown one, a number needs + and its calling code. Default: DEFAULT_COUNTRY.',
  'KE',
)

export const InitiateForm = z
  .object(
    {
      order: OrderText,
      payer_name: optional(
        LONGEST.name,
        'Name of the payer, without a link, and not beginning with =, +, - or @. Required unless the order names it.',
        'Asha Otieno',
      ).refine(
        (value) => value === undefined || cleanName(value) === value,
        'must be a name: without a link, and not beginning with =, +, - or @',
      ),
      payer_email: optional(
        LONGEST.email,
        'E-mail address. Required unless the order has it.',
        'asha@example.com',
      ),
      payer_msisdn: optional(
        LONGEST.phoneNumber,
        'Phone number of the payer. A national number is completed by country. Required unless the order names it.',
        '0700000001',
      ),
      country: CountryText,
      return_url: optional(
        LONGEST.returnUrl,
        'Where the shopper returns to. RETURN_URLS must cover it.',
        'https://shop.example/thanks',
      ),
      launch: field(
        z.enum(['redirect', 'popup'], 'must be redirect or popup').default('redirect'),
        'How the hosted page is opened.',
      ),
      method: field(
        z.enum(['page', 'prompt'], 'must be page or prompt').default('page'),
        "How the shopper pays: on the hosted page, or by a prompt on the payer's phone. Without an operator for the currency in GATEWAY_CHARGE_METHODS, and beyond the limits on prompts, a prompt becomes a hosted page.",
      ),
      payment_method_code: optional(
        LONGEST.code,
        'Operator that sends the prompt, one of GATEWAY_CHARGE_METHODS. Default: by the phone number, otherwise the first.',
        'MOMO_KEN',
      ),
      lang: optional(35, 'Language of the pages of this server, BCP 47.', 'sw'),
    },
    'must be an object',
  )
  .meta({ id: 'InitiateRequest', description: 'A checkout of an order.' })
export type InitiateForm = z.output<typeof InitiateForm>
