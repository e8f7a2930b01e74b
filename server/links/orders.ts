/**
 * The orders of reusable links. The page of a link carries a fresh name, which this server has signed for this link; the
 * press stores what the payer chose under that name, once. However often one page is pressed, there is one order of that
 * name, with the first choice. The name is the order's reference, and as unguessable as the link.
 */

import { z } from 'zod'

import { invalid, refuse } from '../api/refusal.ts'
import { Secret } from '../config/secret.ts'
import { referenceKey } from '../contract/fields.ts'
import { refuseBeyond } from '../limits/limiter.ts'
import { PRESS_LIMITS } from '../limits/presses.ts'
import { LINK_ORDER_PREFIX } from '../orders/order.ts'
import { Answer, Choice, choose, isOpen, readLink } from './link.ts'

import type { Refusal } from '../api/refusal.ts'
import type { Resolution } from '../orders/order.ts'
import type { Fingerprints, Sealer } from '../privacy/personal.ts'
import type { MerchantAccount, Store } from '../store/store.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { Link } from './link.ts'

export interface LinkDeps {
  store: Store
  account: MerchantAccount
  fingerprints: Fingerprints
  /** Encrypts answers, which are personal data. */
  sealer: Sealer
  clock: Clock
}

/** 80 bits are enough for what can only be guessed here, and a payer can read out a name of two halves. */
const HALF = 20
/** Returns 80 of the bits. Hexadecimal, because names are unique without case. */
const toHex = (base64url: string) => Buffer.from(base64url, 'base64url').toString('hex').slice(0, HALF)
/** A name: 80 random bits, and 80 bits of its signature. */
const NAME = new RegExp(`^${LINK_ORDER_PREFIX}([0-9a-f]{${HALF}})([0-9a-f]{${HALF}})$`)

/** Returns a name that nobody else has, for the page of a link. */
export function freshName(
  link: Link,
  { fingerprints, randomness }: { fingerprints: Fingerprints; randomness: Pick<Randomness, 'token'> },
): string {
  const nonce = toHex(randomness.token())
  return LINK_ORDER_PREFIX + nonce + toHex(fingerprints.of('link', signedText(link, nonce)))
}

/** Returns whether this server made the name for a page of the link, with either value of the secret. */
function isNameOf(link: Link, name: string, fingerprints: Fingerprints): boolean {
  const [, nonce = '', signature = ''] = NAME.exec(referenceKey(name)) ?? []
  return fingerprints
    .all('link', signedText(link, nonce))
    .some((each) => new Secret(toHex(each)).equals(signature))
}

function signedText({ id }: Link, nonce: string): string {
  return JSON.stringify([id, nonce])
}

/** Nobody learns whether a link was closed, has ended, or never was. */
export const NO_LINK = refuse('order_unknown', 'There is no such link, or it has ended.')

/** Resolves with the link of an id, if orders of it can be started. */
export async function findOpenLink({ store, account, clock }: LinkDeps, id: string): Promise<Link | null> {
  const row = await store.findLink(account, id)
  const link = row && readLink(row)
  return link && isOpen(link, clock.now()) ? link : null
}

interface Pressed {
  /** The name of the order, as the page has it. */
  name: string
  choice: Choice
  answer: string | undefined
  /** The client network; `null` if it is unknown. */
  network: string | null
}

/** Stores the press of a page, unless it was pressed before. Resolves with the name of its order. */
export async function press(
  deps: LinkDeps,
  link: Link,
  { name, choice, answer, network }: Pressed,
): Promise<{ kind: 'pressed'; order: string } | Refusal> {
  const { store, account, fingerprints, sealer, clock } = deps
  if (!isNameOf(link, name, fingerprints)) {
    return invalid([{ path: 'order', message: 'must be the name that the page of this link has' }])
  }

  const chosen = choose(link.terms, choice)
  if ('path' in chosen) {
    return invalid([chosen])
  }

  const isAsked = link.terms.question !== undefined
  if (isAsked && answer === undefined) {
    return invalid([{ path: 'answer', message: 'is required' }])
  }

  const order = referenceKey(name)
  const isStored = await store.press(account, {
    order,
    link: link.id,
    network: network === null ? null : fingerprints.of('network', network),
    at: clock.now(),
    choice,
    personal: isAsked ? sealer.seal({ answer }) : null,
  })
  if (isStored) {
    return { kind: 'pressed', order }
  }

  const [limit] = PRESS_LIMITS
  return refuseBeyond({ ...limit, name: 'links' }, limit.windowMs, 'This link was pressed too often.')
}

const UNKNOWN = refuse('order_unknown', 'There is no order of this name.')

/** Looks up the order of a press. Price and bounds are those that the link has stored. */
export async function resolveLinkOrder(deps: LinkDeps, name: string): Promise<Resolution> {
  const { store, account, sealer } = deps
  const pressed = await store.findPress(account, name)
  const link = pressed && (await findOpenLink(deps, pressed.link))
  const chosen = link && choose(link.terms, Choice.parse(pressed.choice))
  if (!link || !chosen || 'path' in chosen) {
    return UNKNOWN
  }

  const { order, personal } = pressed
  const { answer } = personal === null ? {} : Personal.parse(sealer.open(personal) ?? {})
  const { currency } = link.terms
  const { amount, narration, pieces } = chosen
  const ofLink = { id: link.id, ...pieces, ...(answer !== undefined && { answer }) }
  return { kind: 'order', order: { order, amount, currency, narration, link: ofLink }, isNewest: true }
}

/** The encrypted part of a press. Empty if the secret was replaced, and the previous one is not accepted. */
const Personal = z.object({ answer: Answer })
