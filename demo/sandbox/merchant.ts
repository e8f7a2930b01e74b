/** The merchant that the sandbox is born with. [assumed] The spec leaves onboarding to the portal. */

export interface Service {
  readonly code: string
  /** ISO 4217. A checkout's currency follows from its service. */
  readonly currency: string
  /** ISO 3166-1 alpha-3. */
  readonly country: string
}

export const MERCHANT = {
  name: 'Sandbox Shop',
  clientCode: 'SANDBOX',
  consumerKey: 'sandbox-key',
  consumerSecret: 'sandbox-secret',
  accountNumber: 'ACC-001',
} as const

const SERVICES: readonly Service[] = [
  { code: 'CHECKOUT-KES', currency: 'KES', country: 'KEN' },
  { code: 'CHECKOUT-UGX', currency: 'UGX', country: 'UGA' },
]

export function findService(code: string): Service | undefined {
  return SERVICES.find((service) => service.code === code)
}
