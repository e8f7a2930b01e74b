/**
 * The most characters of each kind of text. The gateway's fields, the merchant's orders and the forms of shoppers take
 * them from here, so that what one of them takes fits into the next.
 */
export const LONGEST = {
  name: 100,
  email: 100,
  phoneNumber: 25,
  /** What is paid for, and the reason of a share or a refund. */
  narration: 255,
  /**
   * A merchant's reference, and the number of an invoice or of an account at another company. [assumed] The limit of
   * `merchant_transaction_id` holds for references of all kinds. [spec: Standard checkout request]
   */
  reference: 64,
  /** The merchant's account number at the gateway. */
  accountNumber: 50,
  /** A code of the gateway: of a service, a bank or a payment method. */
  code: 32,
  /** A URL that the gateway calls, or sends the payer to. */
  gatewayUrl: 500,
  /** The URL to which the shopper returns from this server. */
  returnUrl: 2_000,
  /** The value of the element's attribute `order`: a reference or a signed order. */
  order: 4_000,
  /** A credential of the merchant portal. */
  credential: 255,
  /** A text about a charge. */
  metadata: 1_000,
} as const
