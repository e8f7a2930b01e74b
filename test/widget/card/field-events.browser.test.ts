import { afterEach, expect, test } from 'vitest'
import { server, userEvent } from 'vitest/browser'

import { calm, shopPage, startedPage } from '../../support/worlds/shop-page.ts'

import type { ShopPage } from '../../support/worlds/shop-page.ts'

const NOBODY = { 'payer-name': '', 'payer-email': '', 'payer-msisdn': '' }
const PROMPT = {
  method: 'MOMO_KEN',
  methods: [
    { code: 'MOMO_KEN', name: 'MoMo', dial: '*334#' },
    { code: 'WAVELET_KEN', name: 'Wavelet', dial: '*445#' },
  ],
}

const KEYS = ['keydown', 'keypress', 'keyup']
const COPYING = ['mousedown', 'pointerdown', 'selectstart', 'contextmenu', 'copy', 'cut', 'paste']

/** WebKitGTK's driver does not click into the fields of a shadow root. */
const clicksFields = server.browser !== 'webkit'

let scripts = new AbortController()

afterEach(() => {
  scripts.abort()
  scripts = new AbortController()
})

/**
 * Adds a script to the page that takes what does not happen in a field, as far as it can see: its shortcuts, or a
 * protection against copying. Returns what it has taken.
 */
function takeOutsideFields(types: string[]): string[] {
  const taken: string[] = []
  const take = (event: Event) => {
    if (event.target instanceof Element && event.target.matches('input, select, textarea')) {
      return
    }

    event.preventDefault()
    taken.push(event instanceof KeyboardEvent ? event.key : event.type)
  }
  for (const type of types) {
    document.addEventListener(type, take, { signal: scripts.signal, passive: false })
  }
  return taken
}

function field<Selector extends 'input' | 'select'>({ tag }: ShopPage, name: Selector, id: string) {
  const found = tag.shadowRoot?.querySelector<HTMLElementTagNameMap[Selector]>(`${name}#${id}`)
  if (!found) {
    throw new Error(`There is no field ${id}.`)
  }
  return found
}

async function typeByKeys(page: ShopPage, id: string, text: string): Promise<void> {
  field(page, 'input', id).focus()
  await userEvent.keyboard(text)
}

/** Opens a page whose prompt on the phone has ended without money, and changes the number. */
async function changedNumber(): Promise<ShopPage> {
  const page = await shopPage({
    attributes: { method: 'prompt' },
    view: { status: null, outcome: 'waiting', prompt: PROMPT },
  })
  delete page.bff.view.redirect_url
  await page.press(/Pay/)
  await page.confirm({ status: 803, outcome: 'unpaid', settled: true })
  await page.press(/Change/)
  await calm(page.tag)
  return page
}

test('shortcuts of the page take nothing that is typed into the form', async () => {
  const page = await startedPage({ attributes: NOBODY })
  const taken = takeOutsideFields(KEYS)
  await typeByKeys(page, 'payer_name', 'Jaska Mwangi-Sks')
  await typeByKeys(page, 'payer_email', 'asks.jk/s@example.com')
  await typeByKeys(page, 'payer_msisdn', '0700 000 001')
  expect(taken).toEqual([])
  await userEvent.keyboard('{Enter}')
  await calm(page.tag)
  expect(page.bff.requests[0]?.form).toMatchObject({
    payer_name: 'Jaska Mwangi-Sks',
    payer_email: 'asks.jk/s@example.com',
    payer_msisdn: '0700 000 001',
  })
})

test('shortcuts of the page take nothing that is typed after the server has refused a field', async () => {
  const page = await shopPage({ attributes: { 'payer-email': 'asha@shop' } })
  page.bff.failNext({
    status: 422,
    code: 'invalid_request',
    retryable: false,
    errors: [{ path: 'payer_email', message: 'Not an address.' }],
  })
  await page.press(/Pay/)
  const taken = takeOutsideFields(KEYS)
  await expect.poll(() => page.tag.shadowRoot?.activeElement?.id).toBe('payer_email')
  await userEvent.keyboard('{Backspace}')
  const email = field(page, 'input', 'payer_email')
  expect({ taken, typed: email.value }).toEqual({ taken: [], typed: 'asha@sho' })
})

test('shortcuts of the page take nothing of another number or operator after a prompt', async () => {
  const page = await changedNumber()
  const taken = takeOutsideFields(KEYS)
  expect(page.tag.shadowRoot?.activeElement?.id).toBe('payer_msisdn')
  await userEvent.keyboard('0700 000 002')
  field(page, 'select', 'operator').focus()
  await userEvent.keyboard('W')
  await page.press(/Try again/)
  expect(taken).toEqual([])
  expect(page.bff.requests.at(-1)?.form).toMatchObject({
    payer_msisdn: '0700 000 002',
    payment_method_code: 'WAVELET_KEN',
  })
})

test.runIf(clicksFields)(
  'a page that forbids copying lets the mouse choose, cut and paste in the fields',
  async () => {
    const page = await startedPage({ attributes: NOBODY })
    const taken = takeOutsideFields(COPYING)
    const email = field(page, 'input', 'payer_email')
    await userEvent.click(email)
    await userEvent.keyboard('asha')
    expect(page.tag.shadowRoot?.activeElement).toBe(email)
    await userEvent.dblClick(email)
    email.select()
    await userEvent.copy()
    await userEvent.cut()
    expect(email.value).toBe('')
    await userEvent.click(field(page, 'input', 'payer_name'))
    await userEvent.paste()
    await userEvent.click(email, { button: 'right' })
    expect({ taken, pasted: field(page, 'input', 'payer_name').value }).toEqual({ taken: [], pasted: 'asha' })
  },
)

test.runIf(clicksFields)(
  'a page that forbids copying lets the mouse choose the number and the operator after a prompt',
  async () => {
    const page = await changedNumber()
    const taken = takeOutsideFields(COPYING)
    for (const chosen of [field(page, 'select', 'operator'), field(page, 'input', 'payer_msisdn')]) {
      await userEvent.click(chosen)
      expect(page.tag.shadowRoot?.activeElement).toBe(chosen)
      await userEvent.keyboard('{Escape}')
    }
    expect(taken).toEqual([])
  },
)

test('a finger focuses a field on a page that cancels touches elsewhere', async () => {
  const page = await startedPage({ attributes: NOBODY })
  const taken = takeOutsideFields(['touchstart'])
  const touch = () => new Event('touchstart', { bubbles: true, composed: true, cancelable: true })
  expect(field(page, 'input', 'payer_name').dispatchEvent(touch())).toBe(true)
  expect(taken).toEqual([])
})

test('Escape and Tab in a field reach the page, so that a dialog around the tag closes and keeps the focus', async () => {
  const page = await startedPage({ attributes: NOBODY })
  const heard: string[] = []
  document.addEventListener('keydown', ({ key }) => heard.push(key), { signal: scripts.signal })
  await typeByKeys(page, 'payer_name', 'a{Tab}b{Escape}')
  expect(heard).toEqual(['Tab', 'Escape'])
})

test('listeners in the shadow root, and of the page in the capture phase, hear what is typed', async () => {
  const page = await startedPage({ attributes: NOBODY })
  const heard: string[] = []
  page.tag.shadowRoot?.addEventListener('keydown', () => heard.push('root'), { signal: scripts.signal })
  document.addEventListener('keydown', () => heard.push('page'), { signal: scripts.signal, capture: true })
  await typeByKeys(page, 'payer_name', 'a')
  expect(heard).toEqual(['page', 'root'])
})

test('the page hears what happens in its own fields inside the tag, and on the buttons', async () => {
  const page = await startedPage({
    attributes: NOBODY,
    content: '<input slot="footer" part="input" aria-label="Voucher" />',
  })
  const heard: string[] = []
  document.addEventListener('keydown', ({ key }) => heard.push(key), { signal: scripts.signal })
  page.tag.querySelector('input')?.focus()
  await userEvent.keyboard('v')
  page.tag.shadowRoot?.querySelector<HTMLElement>('.plain')?.focus()
  await userEvent.keyboard('b')
  expect(heard).toEqual(['v', 'b'])
})
