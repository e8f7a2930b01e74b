import { expect, inject, test } from 'vitest'
import { commands, server } from 'vitest/browser'

import { openScreenReader, plain } from '../support/browsers/screen-reader.ts'
import { EXPIRED, PAID, PARTIAL, UNPAID } from '../support/worlds/scripted-bff.ts'
import { calm, createTag, shopPage } from '../support/worlds/shop-page.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { GatewayCheckout } from '../../widget/index.ts'
import type { PageOptions, ShopPage } from '../support/worlds/shop-page.ts'

// WebKit needs ten times as long. What an engine does differently shows in one language.
const LANGUAGES = ['en', 'ar', 'fr', 'pt', 'sw'].slice(0, server.browser === 'chromium' ? 5 : 1)
const LIMIT_MS = 300_000
const PATIENCE = { timeout: 30_000 }
const NOBODY = { 'payer-name': '', 'payer-email': '', 'payer-msisdn': '' }
const OPERATORS = [{ code: 'MOMO_KEN', name: 'MoMo', dial: '*334#' }]
const PENDING: Partial<CheckoutView> = { status: 851, outcome: 'pending' }
const ANOTHER: Partial<CheckoutView> = {
  checkout_id: 'checkout-02-of-the-tests',
  status: null,
  outcome: 'waiting',
  settled: false,
  redirect_url: 'https://pay.gateway.test/pay/2',
}
const LATER = '2099-01-01T00:00:00Z'
const WRONG_PIN: CheckoutView['payments'][number] = {
  ...payment(703, 'waiting'),
  status: 701,
  outcome: 'failed',
  reason: 'wrong_pin',
}

/** A shopper with a screen reader and a keyboard. */
interface Listener {
  page: ShopPage
  /** Presses Enter on the focused control; after `tag.focus()`, on the first. */
  press: () => Promise<void>
  confirm: (news: Partial<CheckoutView>) => Promise<void>
  waits: (seconds: number) => Promise<void>
  does: (what: string, deed: () => unknown) => Promise<void>
}

interface Scene extends PageOptions {
  play: (listener: Listener) => Promise<void>
}

const following = { 'checkout-id': 'checkout-01-of-the-tests' }

const SCENES: Record<string, Scene> = {
  'pays in the payment window': {
    async play({ press, confirm }) {
      await press()
      await confirm({ payments: [payment(703, 'waiting')] })
      await confirm({ ...PENDING, payments: [payment(703, 'waiting')] })
      await confirm(PAID)
    },
  },
  'fills in the form': {
    attributes: NOBODY,
    async play({ page, press, does }) {
      await press()
      await does('sends it empty', () => enter(page.tag))
      await does('sends it without a number', () => {
        type(page.tag, 'payer_name', 'Asha Mwangi')
        type(page.tag, 'payer_email', 'asha@example.com')
        enter(page.tag)
      })
      await does('sends it', () => {
        type(page.tag, 'payer_msisdn', '+254700000001')
        enter(page.tag)
      })
    },
  },
  'the pop-up is blocked': {
    async play({ page, press, confirm }) {
      page.around.blocksPopups = true
      await press()
      await confirm(PAID)
    },
  },
  'closes the pop-up': {
    async play({ page, press, confirm, does }) {
      await press()
      await does('closes the window', async () => {
        for (const popup of page.around.popups) {
          popup.closed = true
        }

        await page.later(1)
      })
      await confirm({ ...UNPAID, payments: [WRONG_PIN] })
      await confirm({ ...UNPAID, payments: [], settled: true, updated_at: '2026-11-21T09:32:00Z' })
    },
  },
  'pays a part, and the rest too late': {
    attributes: following,
    async play({ confirm }) {
      await confirm(PARTIAL)
      await confirm({ ...PARTIAL, settled: true })
    },
  },
  'pays a part, then too much': {
    attributes: following,
    async play({ confirm }) {
      await confirm(PARTIAL)
      await confirm({ ...PAID, amount_paid: '1700', discrepancy: 'excess' })
    },
  },
  'does not pay in time': {
    attributes: following,
    async play({ page, press, confirm }) {
      await confirm(EXPIRED)
      page.bff.confirm(ANOTHER)
      await press()
    },
  },
  'comes back to a checkout': {
    async play({ page, confirm, does }) {
      await does('the page names the checkout', async () =>
        page.tag.setAttribute('checkout-id', 'checkout-01-of-the-tests'),
      )
      await confirm({ status: 850, outcome: 'jammed' })
      await confirm(PENDING)
      await confirm({ status: 840, outcome: 'reversed', settled: true })
    },
  },
  'is refunded': {
    attributes: following,
    play: ({ confirm }) => confirm({ status: 841, outcome: 'refunded', settled: true }),
  },
  'pays less than was asked': {
    attributes: following,
    play: ({ confirm }) => confirm({ ...PAID, outcome: 'review', discrepancy: 'short', amount_paid: '1400' }),
  },
  'approves on the phone': {
    attributes: { method: 'prompt', payee: 'Pwani Goods' },
    view: { prompt: { method: 'MOMO_KEN', methods: OPERATORS } },
    async play({ page, press, waits, confirm }) {
      delete page.bff.view.redirect_url
      await press()
      for (const seconds of [15, 10, 40]) {
        await waits(seconds)
      }

      await confirm({ ...UNPAID, payments: [WRONG_PIN], settled: true })
    },
  },
  'the network comes and goes': {
    attributes: following,
    view: { expires_at: LATER },
    async play({ page, does, waits }) {
      page.bff.failNext('network')
      await waits(4)
      await waits(10)
      const connect = (onLine: boolean) => async () => {
        page.around.onLine = onLine
        if (!onLine) {
          page.bff.failNext('network')
        }

        window.dispatchEvent(new Event(onLine ? 'online' : 'offline'))
        await page.later(1)
      }
      await does('goes offline', connect(false))
      await does('goes online', connect(true))
      await waits(10)
    },
  },
  '2 minutes are left': endsAt('09:02:05'),
  'the session ends': {
    ...endsAt('09:00:05'),
    async play({ waits, confirm }) {
      for (const seconds of [4, 10, 60]) {
        await waits(seconds)
      }

      await confirm(EXPIRED)
    },
  },
  'the session ends, with a part paid': {
    attributes: following,
    view: { ...PARTIAL, expires_at: '2026-11-21T09:00:05Z' },
    async play({ waits, confirm }) {
      await waits(10)
      await confirm({ ...PARTIAL, settled: true })
    },
  },
  'copies the reference of the receipt': {
    attributes: following,
    async play({ page, confirm, does }) {
      const { clipboard } = navigator
      const value = { writeText: () => Promise.resolve() }
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value })
      const copy = () => page.tag.shadowRoot?.querySelector<HTMLElement>('[part=receipt] button')
      await confirm(PAID)
      await expect.poll(copy, PATIENCE).toBeTruthy()
      await does('moves to the button', () => copy()?.focus())
      await does('presses', () => enter(page.tag))
      value.writeText = () => Promise.reject(new DOMException('Denied.', 'NotAllowedError'))
      await does('presses again, and the browser refuses', () => enter(page.tag))
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard })
    },
  },
  ...Object.fromEntries(
    [
      ['gateway_unavailable', true],
      ['order_unknown', false],
      ['order_invalid', false],
      ['order_expired', false],
      ['order_not_payable', false],
      ['order_changed', false],
      ['unknown_checkout', false],
      ['charges_off', false],
    ].map(([code, retryable]): [string, Scene] => [
      `is refused: ${String(code)}`,
      {
        async play({ page, press }) {
          page.bff.failNext({ code: String(code), retryable: Boolean(retryable) })
          await press()
        },
      },
    ]),
  ),
  'is offline at the press, and tries again': {
    async play({ page, press }) {
      page.bff.failNext('network')
      await press()
      await press()
    },
  },
}

/** The clock of the page begins at 9:00. */
function endsAt(time: string): Scene {
  const view = { expires_at: `2026-11-21T${time}Z` }
  return { attributes: following, view, play: ({ waits }) => waits(10) }
}

test.each(LANGUAGES)(
  '%s: each state is announced once, in order, as it was',
  { timeout: LIMIT_MS },
  async (lang) => {
    await loadLanguage(lang)
    const scenes: string[] = []
    for (const [name, scene] of Object.entries(SCENES)) {
      scenes.push(`# ${name}\n${await transcript(scene, lang)}`)
    }

    const text = `${scenes.join('\n\n')}\n`
    const file = `test/widget/transcripts/${lang}.txt`
    if (inject('renewsTranscripts')) {
      await commands.writeFile(file, text)
    }

    expect(text).toBe(await commands.readFile(file))
  },
)

async function transcript({ play, attributes, ...options }: Scene, lang: string): Promise<string> {
  const page = await shopPage({ ...options, attributes: { ...attributes, lang } })
  const { shadowRoot } = page.tag
  if (shadowRoot === null) {
    throw new Error('The element has no shadow root.')
  }

  const reader = openScreenReader(shadowRoot)
  const lines = [`shows (${page.tag.state}) ${piecesOf(shadowRoot).join(' · ')}`]

  const does = async (what: string, deed: () => unknown) => {
    const before = piecesOf(shadowRoot)
    await deed()
    await calm(page.tag)
    const heard = reader.heard()
    lines.push(`${what} (${page.tag.state})`, ...heard.map((line) => `  ${line}`))
    const added = piecesOf(shadowRoot).filter((piece) => !before.includes(piece))
    const said = heard.flatMap((line) => /^status: (.*)/.exec(line)?.[1]?.split(' · ') ?? [])
    expect(said.filter((piece) => added.includes(piece))).toEqual(added)
    // A new try names its amount, as the last one did.
    const kept = before.filter((piece) => !/^[\d.,\s]*\d[\d.,\s]*[A-Z]{3}$|^(KES|Ksh) [\d.,]+$/.test(piece))
    expect(said.filter((piece) => kept.includes(piece))).toEqual([])
  }

  await play({
    page,
    does,
    press: () =>
      does('presses', () => {
        if (shadowRoot.activeElement === null) {
          page.tag.focus()
        }

        enter(page.tag)
      }),
    waits: (seconds) =>
      does(`${seconds} seconds pass`, async () => {
        for (let second = 0; second < seconds; second++) {
          await page.later(1)
        }
      }),
    confirm: (news) => does(`the gateway confirms ${news.status ?? 'a prompt'}`, () => page.confirm(news)),
  })
  reader.stop()
  return lines.map((line) => line.trimEnd()).join('\n')
}

/** Presses Enter on what has the focus. Without the driver, whose keys take WebKit a second each. */
function enter({ shadowRoot }: GatewayCheckout): void {
  const focused = shadowRoot?.activeElement
  if (focused instanceof HTMLInputElement) {
    focused.form?.requestSubmit()
  } else if (focused instanceof HTMLElement) {
    focused.click()
  }
}

function type({ shadowRoot }: GatewayCheckout, name: string, text: string): void {
  const input = shadowRoot?.querySelector<HTMLInputElement>(`[name=${name}]`)
  if (input) {
    input.value = text
  }
}

/** Returns the pieces of text that the status shows. */
function piecesOf(root: ShadowRoot): string[] {
  const pieces = [...root.querySelectorAll('[role=status] :is(.said > *, [part=amount])')]
  return pieces.map(({ textContent }) => plain(textContent ?? '')).filter(Boolean)
}

/** Downloads the words, so that the tags of the scenes have them from the beginning. */
async function loadLanguage(lang: string): Promise<void> {
  const tag = createTag({ lang })
  document.body.replaceChildren(tag)
  // The form for the payer's details waits for the words.
  tag.start()
  await expect.poll(() => tag.shadowRoot?.querySelector('form'), PATIENCE).toBeTruthy()
  tag.remove()
}

function payment(status: 703, outcome: 'waiting'): CheckoutView['payments'][number] {
  return { status, outcome, amount: '1500', currency: 'KES', method: 'M-Pesa', paid_at: null }
}
