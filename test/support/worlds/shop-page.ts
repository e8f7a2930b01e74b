import { userEvent } from 'vitest/browser'

import '../../../widget/define.ts'
import { overlay } from '../../../demo/shop/playground/stage.ts'
import { PAYER } from '../../../demo/shop/playground/states.ts'
import { GatewayCheckout } from '../../../widget/index.ts'
import { createHandClock } from './hand-clock.ts'
import { BFF, createScriptedBff, createStreams } from './scripted-bff.ts'

import type { CheckoutView } from '../../../server/api/view.ts'
import type { Line, ScriptedBff, Streams } from './scripted-bff.ts'

export { PAYER }

type Surroundings = ReturnType<typeof createSurroundings>
export type ShopPage = Awaited<ReturnType<typeof shopPage>>

const EVENTS = ['open', 'change', 'paid', 'partial', 'unpaid', 'expired', 'settled', 'close', 'error']

export interface PageOptions {
  around?: Partial<Pick<Surroundings, 'blocksStorage' | 'isDesk' | 'isFramed'>>
  attributes?: Record<string, string>
  content?: string
  view?: Partial<CheckoutView>
  hash?: string
  remembers?: string
  /** The behaviour of the simulated event streams. Without this option, `window` has no `EventSource`. */
  line?: Line
}

let bff: ScriptedBff | null = null

/** Opens a page after the element's second file has arrived. */
export async function shopPage(options: PageOptions = {}) {
  await GatewayCheckout.preload()
  document.body.replaceChildren()
  sessionStorage.clear()
  if (options.remembers) {
    sessionStorage.setItem(`gateway-checkout ${BFF} order-1`, options.remembers)
  }

  const clock = createHandClock()
  bff = createScriptedBff(() => clock.now(), options.view)
  const around = Object.assign(createSurroundings(options.hash ?? ''), options.around)
  const questions = bff
  const streams = createStreams(bff, clock, options.line ?? 'refused')
  GatewayCheckout.environment = {
    fetch: (input, init) => {
      streams.overlaps += streams.open
      return questions.fetch(input, init)
    },
    clock,
    random: () => 0.5,
    window: surroundedWindow(around, options.line && streams),
  }
  const tag = createTag({ ...PAYER, launch: 'popup', ...options.attributes }, options.content)
  const events: string[] = []
  for (const event of EVENTS) {
    document.addEventListener(`checkout-${event}`, () => events.push(event))
  }

  document.body.replaceChildren(tag)
  await calm(tag)
  const page = {
    tag,
    bff,
    streams,
    clock,
    around,
    events,
    async press(words: RegExp): Promise<void> {
      const targets = [...(tag.shadowRoot?.querySelectorAll<HTMLElement>('button, a, summary') ?? [])]
      const target = targets.find((element) => words.test(written(element) || written(tag)))
      if (target === undefined) {
        throw new Error(`No button says ${words}: ${page.text()}`)
      }

      await userEvent.click(target)
      await calm(tag)
    },
    async later(seconds: number): Promise<void> {
      clock.advance(seconds * 1000)
      await calm(tag)
    },
    async confirm(news: Partial<CheckoutView>): Promise<void> {
      questions.confirm(news)
      await page.later(5)
    },
    text: (): string => written(tag.shadowRoot?.querySelector('.base')),
    status: () => written(tag.shadowRoot?.querySelector('[role=status]')),
  }
  return page
}

export async function startedPage(options?: PageOptions): Promise<ShopPage> {
  const page = await shopPage(options)
  await page.press(/Pay/)
  return page
}

export function createTag(attributes: Record<string, string>, content = ''): GatewayCheckout {
  const tag = document.createElement('gateway-checkout')
  for (const [name, value] of Object.entries({ order: 'order-1', server: BFF, lang: 'en', ...attributes })) {
    tag.setAttribute(name, value)
  }

  tag.innerHTML = content
  return tag
}

export async function calm(tag: GatewayCheckout): Promise<void> {
  for (let turn = 0; turn < 8 || bff?.isBusy; turn++) {
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = resolve
      port2.postMessage(null)
    })
  }

  await tag.updateComplete
}

export async function type(tag: GatewayCheckout, name: string, text: string): Promise<void> {
  const input = tag.shadowRoot?.querySelector<HTMLInputElement>(`[name=${name}]`)
  if (!input) {
    throw new Error(`Nobody asks for ${name}.`)
  }

  await userEvent.fill(input, text)
}

function written(element: Element | null | undefined): string {
  return (element?.textContent ?? '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/[\u200f\u2066-\u2069]/g, '')
    .trim()
}

function createSurroundings(hash: string) {
  const left: string[] = []
  const popups: Popup[] = []
  const console: string[] = []
  const blocked = { blocksPopups: false, blocksStorage: false, isFramed: false }
  // `isDesk`: a wide window with a mouse. `left`: URLs that the page navigated to. `console`: logged messages.
  const href = 'https://shop.test/cart?id=1#top'
  return { hash, href, onLine: true, hidden: false, ...blocked, isDesk: true, left, popups, console }
}

function surroundedWindow(around: Surroundings, streams?: Streams): Window & typeof globalThis {
  const location = {
    get hash() {
      return around.hash
    },
    get href() {
      return around.href
    },
    origin: 'https://shop.test',
    protocol: 'https:',
    assign: (url: string) => around.left.push(url),
  }

  // Refuses relative URLs, like a browser if the page's `<base>` has another origin.
  const replaceState = (_state: unknown, _title: string, address: string) => {
    const { origin, hash } = new URL(address, 'https://cdn.test')
    if (origin !== location.origin) {
      throw new DOMException('The address is another site’s.', 'SecurityError')
    }

    around.hash = hash
  }

  const parts: Record<PropertyKey, unknown> = {
    location,
    history: { state: null, replaceState },
    navigator: overlay(navigator, () => ({ onLine: around.onLine, locks: streams?.locks })),
    document: overlay(document, () => ({ hidden: around.hidden })),
    // Browser tests run in a frame.
    get parent() {
      return around.isFramed ? null : window.self
    },
    matchMedia: () => ({ matches: around.isDesk }),
    get sessionStorage() {
      if (around.blocksStorage) {
        throw new DOMException('Storage is blocked.', 'SecurityError')
      }
      return window.sessionStorage
    },
    EventSource: streams?.EventSource,
    console: {
      warn: (text: string) => around.console.push(text),
      error: (text: string) => around.console.push(text),
    },
    open: () => (around.blocksPopups ? null : openPopup(around)),
  }
  return overlay(window, () => parts)
}

interface Popup {
  closed: boolean
  focused: number
  address: string
  title: string
  text: string
  lang: string
  dir: string
}

function openPopup(around: Surroundings) {
  const popup: Popup = { closed: false, focused: 0, address: '', title: '', text: '', lang: '', dir: '' }
  around.popups.push(popup)
  return {
    get top() {
      return this
    },
    get closed() {
      return popup.closed
    },
    document: {
      set title(title: string) {
        popup.title = title
      },
      body: {
        set textContent(text: string) {
          popup.text = text
        },
      },
      documentElement: {
        set lang(lang: string) {
          popup.lang = lang
        },
        set dir(dir: string) {
          popup.dir = dir
        },
      },
    },
    location: { replace: (url: string) => (popup.address = url) },
    focus: () => (popup.focused += 1),
    close: () => (popup.closed = true),
  }
}
