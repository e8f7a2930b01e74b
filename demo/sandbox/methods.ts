/** How a customer can pay. [assumed] Fictitious operators in the style of the ids seen in the field. */

import type { Service } from './merchant.ts'

interface Method {
  /** `payment_method_code` on the wire. */
  readonly code: string
  readonly name: string
  readonly hint: string
}

const BANK = 'BANK'

export function methodsOf({ country }: Service): readonly Method[] {
  return [
    { code: `MOMO_${country}`, name: 'MoMo', hint: 'Mobile money; asks for your PIN on the phone' },
    { code: `WAVELET_${country}`, name: 'Wavelet', hint: 'Mobile money; asks for your PIN on the phone' },
    { code: 'CARD', name: 'Card', hint: 'Your bank asks you to confirm on the phone' },
    { code: BANK, name: 'Bank account', hint: 'Your bank asks you to confirm on the phone' },
  ]
}

export function defaultMethodOf({ country }: Service): string {
  return `MOMO_${country}`
}

/** Whether one person asks for the payment and another approves it. [spec: "maker-checker payments"] [assumed] */
export function needsSecondPerson(methodCode: string): boolean {
  return methodCode === BANK
}
