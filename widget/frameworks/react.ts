'use client'

/**
 * `<gateway-checkout>` as a component of React 18 and newer, and its types in the JSX of React 19. On a server, the
 * component renders the tag; in a browser, importing this module also defines the element.
 *
 * The element may dispatch events before React has hydrated the page. What such events have reported is still in the
 * element, so the component compares it with what its handlers were given, and passes on the rest.
 */

import 'gateway-checkout/define'
import { createElement, forwardRef, useEffect, useImperativeHandle, useRef } from 'react'

import { PROPERTIES } from '../button/attributes.ts'
import { CheckoutEvent, eventsOfView } from '../state/events.ts'

import type { CheckoutEventMap, CheckoutView, GatewayCheckout as Tag } from '../index.ts'
import type { Attributes, Listeners, Properties } from './markup.ts'
import type { DetailedHTMLProps, HTMLAttributes } from 'react'

type HandlerName<Type> = Type extends `checkout-${infer Name}` ? `on${Capitalize<Name>}` : never

const HANDLER_NAMES: { [Type in keyof CheckoutEventMap]: HandlerName<Type> } = {
  'checkout-open': 'onOpen',
  'checkout-change': 'onChange',
  'checkout-paid': 'onPaid',
  'checkout-partial': 'onPartial',
  'checkout-unpaid': 'onUnpaid',
  'checkout-expired': 'onExpired',
  'checkout-settled': 'onSettled',
  'checkout-close': 'onClose',
  'checkout-error': 'onError',
}

type Handlers = {
  [Type in keyof CheckoutEventMap as HandlerName<Type>]?:
    | ((event: CheckoutEventMap[Type]) => void)
    | undefined
}

/** The element's properties and events, and what every HTML element takes. */
export type GatewayCheckoutProps = Properties &
  Handlers &
  Omit<HTMLAttributes<Tag>, keyof Properties | keyof Handlers>

type Markup = DetailedHTMLProps<HTMLAttributes<Tag>, Tag> & Attributes & Properties & Listeners

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'gateway-checkout': Markup
    }
  }
}

/**
 * The tag with its attributes, and event handlers as props. Handlers for the outcome (`onChange`, `onPaid`,
 * `onPartial`, `onUnpaid`, `onExpired`, `onSettled`) are also called for an event that was dispatched before hydration;
 * such an event has no `target`.
 */
export const GatewayCheckout = forwardRef<Tag | null, GatewayCheckoutProps>(
  function GatewayCheckout(props, outer) {
    const ref = useRef<Tag>(null)
    useImperativeHandle<Tag | null, Tag | null>(outer, () => ref.current, [])

    // After every rendering, because the handlers may be others.
    useEffect(() => {
      const tag = ref.current
      if (!tag) {
        return
      }
      if (tag.words !== props.words) {
        tag.words = props.words
      }

      const listening = new AbortController()
      const { signal } = listening
      for (const [type, name] of Object.entries(HANDLER_NAMES)) {
        tag.addEventListener(type, (event) => hear(event, tag, props[name]), { signal })
      }

      passOnMissed(tag, props)
      return () => listening.abort()
    })

    // An element that was defined before hydration has the attribute `state`, which the server's markup has not.
    return createElement('gateway-checkout', { ...attributesOf(props), suppressHydrationWarning: true, ref })
  },
)

/** Names the element's attributes as in HTML, so that a server writes them. React 18 would write `false` as a text. */
function attributesOf(props: GatewayCheckoutProps): Record<string, unknown> {
  const attributes: Record<string, unknown> = { ...props, class: props.className }
  for (const name of ['words', 'className', ...Object.values(HANDLER_NAMES)]) {
    delete attributes[name]
  }

  for (const [attribute, property] of PROPERTIES) {
    if (property in props) {
      delete attributes[property]
      attributes[attribute] = Reflect.get(props, property) || undefined
    }
  }

  return attributes
}

/** The view of each element whose events the handlers were given last. */
const heard = new WeakMap<Tag, CheckoutView>()

function hear(event: Event, tag: Tag, handler: unknown): void {
  remember(tag)
  if (typeof handler === 'function') {
    handler(event)
  }
}

/** Calls the handlers for the events of the element's view, unless they have heard of the view. */
function passOnMissed(tag: Tag, props: GatewayCheckoutProps): void {
  const before = heard.get(tag)
  const view = remember(tag)
  if (view === null || view === before) {
    return
  }

  const isSame = before?.checkout_id === view.checkout_id
  for (const [name] of eventsOfView(isSame ? before : null, view)) {
    const type = `checkout-${name}` as const
    hear(new CheckoutEvent(type, view), tag, props[HANDLER_NAMES[type]])
  }
}

/** Returns the view that is remembered; `null` if there is none yet, or the element is not yet defined. */
function remember(tag: Tag): CheckoutView | null {
  const view: CheckoutView | null | undefined = tag.checkout
  if (view) {
    heard.set(tag, view)
  }
  return view ?? null
}
