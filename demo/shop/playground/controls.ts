// Each control is named after the attribute, slot or CSS property that the control sets.

export interface Control {
  name: string
  label: string
  initial?: string
  example?: string
  offers?: Record<string, string>
  isFlag?: true
}

export interface Group {
  title: string
  controls: readonly Control[]
  isOpen?: true
}

export const LOOK: readonly Control[] = [
  { name: 'lang', label: 'Language' },
  { name: 'theme', label: 'Theme', offers: { '': 'The page’s', light: 'Light', dark: 'Dark' } },
  { name: 'disabled', label: 'Disabled', isFlag: true },
]

export const ATTRIBUTES: readonly Group[] = [
  {
    title: 'What is paid for',
    isOpen: true,
    controls: [
      { name: 'order', label: 'order' },
      { name: 'server', label: 'server' },
      { name: 'amount', label: 'amount', example: 'KES 1500' },
      { name: 'payee', label: 'payee', example: 'Pwani Goods' },
      { name: 'checkout-id', label: 'checkout-id', example: 'made up where a state needs one' },
    ],
  },
  {
    title: 'Who pays',
    isOpen: true,
    controls: [
      { name: 'payer-name', label: 'payer-name', initial: 'Asha Mwangi' },
      { name: 'payer-email', label: 'payer-email', initial: 'asha@example.com' },
      { name: 'payer-msisdn', label: 'payer-msisdn', initial: '+254700000001' },
      { name: 'country', label: 'country', initial: 'KE' },
    ],
  },
  {
    title: 'The button, and where it leads',
    controls: [
      { name: 'label', label: 'label', example: 'Pay' },
      {
        name: 'launch',
        label: 'launch',
        offers: { '': 'left out', auto: 'auto', redirect: 'redirect', popup: 'popup' },
      },
      {
        name: 'method',
        label: 'method',
        offers: { '': 'left out', page: 'page', prompt: 'prompt' },
      },
      { name: 'overlay', label: 'overlay', isFlag: true },
      { name: 'return-url', label: 'return-url', example: 'this page' },
    ],
  },
  {
    title: 'In a form',
    controls: [
      { name: 'name', label: 'name', example: 'checkout' },
      { name: 'required', label: 'required', isFlag: true },
    ],
  },
]

// The prefix `slot.` distinguishes the slot `label` from the attribute `label`.
export const SLOTS: readonly Control[] = [
  { name: 'slot.label', label: 'label', example: 'Pay with mobile money' },
  { name: 'slot.paid', label: 'paid', example: 'Your coffee leaves tomorrow.' },
  { name: 'slot.partial', label: 'partial', example: 'We keep your basket.' },
  { name: 'slot.unpaid', label: 'unpaid', example: 'Paying in the shop works too.' },
  { name: 'slot.expired', label: 'expired', example: 'Your basket is still here.' },
  { name: 'slot.footer', label: 'footer', example: 'Questions? 0700 000 000' },
]

export function slotOf(name: string): string {
  return name.replace(/^slot\./, '')
}

export const PROPERTIES: readonly Control[] = [
  { name: '--gateway-checkout-accent', label: 'accent', example: '#1d4ed8' },
  { name: '--gateway-checkout-on-accent', label: 'on-accent', example: 'white' },
  { name: '--gateway-checkout-surface', label: 'surface', example: 'aliceblue' },
  { name: '--gateway-checkout-text', label: 'text', example: 'midnightblue' },
  { name: '--gateway-checkout-radius', label: 'radius', example: '4px' },
  { name: '--gateway-checkout-font', label: 'font', example: 'Georgia, serif' },
]

export const ATTRIBUTE_CONTROLS = [...LOOK, ...ATTRIBUTES.flatMap(({ controls }) => controls)]

export const CHECKOUT_ATTRIBUTES: readonly string[] = ['order', 'server', 'checkout-id']
