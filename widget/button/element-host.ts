/** Defines what the second file (`../checkout/flow.ts`) gets from the element. */

import type { CheckoutView } from '../../server/api/view.ts'
import type { CheckoutErrorDetail, CheckoutEventMap } from '../state/events.ts'
import type { Payer } from '../state/payer.ts'
import type { CheckoutWords } from '../words/custom-words.ts'
import type { CheckoutAttributes } from './attributes.ts'
import type { drawContent } from './card-content.ts'
import type { Environment } from './environment.ts'
import type { Look } from './frame.ts'
import type { ReactiveElement } from '@lit/reactive-element'

export type CheckoutElement = ReactiveElement &
  CheckoutAttributes & { words: CheckoutWords | null | undefined }

export interface ElementHost {
  readonly element: CheckoutElement
  /** The property name for each attribute name. */
  readonly properties: ReadonlyMap<string, string>
  readonly internals: ElementInternals
  readonly environment: Environment
  /** The BFF's URL for elements without a `server` attribute. */
  readonly defaultServer: () => string
  /** Returns what the element shows without a checkout. */
  readonly idleLook: () => Look
  /** Draws what the card says, in the nodes that the first file has drawn. */
  readonly drawContent: typeof drawContent
  /** Acts like a press on the button; `asksPhone` is that of {@link Press}. */
  readonly press: (asksPhone: boolean) => void
  /** Dispatches a DOM event; returns `false` if the page canceled the event. */
  readonly dispatch: (
    type: keyof CheckoutEventMap,
    detail: CheckoutView | CheckoutErrorDetail | null,
  ) => boolean
}

/** The properties that an update has changed, with their values before the update. */
export interface Changes {
  has(property: string): boolean
  get(property: 'order' | 'server'): string | undefined
}

export interface Press {
  /** Whether the payer is asked on the phone, instead of opening the hosted page. */
  asksPhone: boolean
  payer: Payer
  /**
   * Whether the hosted page opens, or the phone is asked, as soon as possible. Otherwise, a form or an error comes
   * first.
   */
  opens: boolean
  /** The pop-up; `null` if the browser blocked the pop-up, absent if none is wanted. */
  popup?: Window | null
}
