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
import { PROPERTIES } from '../element/attributes.ts'
import { CheckoutEvent, eventsOfView } from '../session/events.ts'

import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { CheckoutEventMap, CheckoutView, GatewayCheckout as Tag } from '../index.ts'
import type { Attributes, Listeners, Properties } from './markup.ts'

/** Event handlers named after the events, such as `onPaid` for `checkout-paid`. */
type Handlers = {
  [
    Type in keyof CheckoutEventMap as Type extends `checkout-${infer Name}` ? `on${Capitalize<Name>}` : never
  ]?: ((event: CheckoutEventMap[Type]) => void) | undefined
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
    const { words, className, attributes, handlers } = divide(props)

    // After every rendering, because the handlers may be others.
    useEffect(() => {
      const tag = ref.current
      if (!tag) return
      if (tag.words !== words) tag.words = words
      const stops = typesOf(handlers).map((type) => listen(tag, type, handlers))
      passOnMissed(tag, handlers)
      return () => {
        for (const stop of stops) stop()
      }
    })

    // An element that was defined before hydration has the attribute `state`, which the server's markup has not.
    return createElement('gateway-checkout', {
      ...attributes,
      class: className,
      suppressHydrationWarning: true,
      ref,
    })
  },
)

type HandlersByType = {
  [Type in keyof CheckoutEventMap]: ((event: CheckoutEventMap[Type]) => void) | undefined
}

/** The view of each element whose events the handlers were given last. */
const heard = new WeakMap<Tag, CheckoutView>()

function divide(props: GatewayCheckoutProps) {
  const { words, className, ...others } = props
  const { onOpen, onChange, onPaid, onPartial, onUnpaid, onExpired, onSettled, onClose, onError, ...rest } =
    others
  const handlers: HandlersByType = {
    'checkout-open': onOpen,
    'checkout-change': onChange,
    'checkout-paid': onPaid,
    'checkout-partial': onPartial,
    'checkout-unpaid': onUnpaid,
    'checkout-expired': onExpired,
    'checkout-settled': onSettled,
    'checkout-close': onClose,
    'checkout-error': onError,
  }
  return { words, className, attributes: toAttributes(rest), handlers }
}

/** Names the element's attributes as in HTML, so that a server writes them. React 18 would write `false` as a text. */
function toAttributes(props: object): Record<string, unknown> {
  const names = new Map([...PROPERTIES].map(([attribute, property]) => [property, attribute]))
  return Object.fromEntries(
    Object.entries(props).map(([name, value]: [string, unknown]) => {
      const attribute = names.get(name)
      return attribute ? [attribute, value || undefined] : [name, value]
    }),
  )
}

function typesOf(handlers: HandlersByType) {
  return Object.keys(handlers).filter((type): type is keyof CheckoutEventMap => type in handlers)
}

/** Returns a function that stops listening. */
function listen<Type extends keyof CheckoutEventMap>(
  tag: Tag,
  type: Type,
  handlers: HandlersByType,
): () => void {
  const hear = (event: CheckoutEventMap[Type]) => {
    remember(tag)
    handlers[type]?.(event)
  }
  tag.addEventListener(type, hear)
  return () => tag.removeEventListener(type, hear)
}

function passOnMissed(tag: Tag, handlers: HandlersByType): void {
  const before = heard.get(tag)
  const view = remember(tag)
  if (view === null || view === before) return
  const isSame = before?.checkout_id === view.checkout_id
  for (const [name] of eventsOfView(isSame ? before : null, view)) {
    const type = `checkout-${name}` as const
    handlers[type]?.(new CheckoutEvent(type, view))
  }
}

/** Returns the view that is remembered; `null` if there is none yet, or the element is not yet defined. */
function remember(tag: Tag): CheckoutView | null {
  const view: CheckoutView | null | undefined = tag.checkout
  if (view) heard.set(tag, view)
  return view ?? null
}
