/**
 * The orders of reusable links. The page of a link carries a fresh name, which this server has signed for this link; the
 * press stores what the payer chose under that name, once. However often one page is pressed, there is one order of that
 * name, with the first choice. The name is the order's reference, and as unguessable as the link. It says when the page
 * was opened: an old page, whose press may have been deleted, needs a fresh name.
 */

import { z } from 'zod'

import { invalid, refuse } from '../api/refusal.ts'
import { Secret } from '../config/secret.ts'
import { referenceKey } from '../contract/comparison-keys.ts'
import { LINK_ORDER_PREFIX } from '../orders/order.ts'
import { refuseBeyond } from '../rate-limits/failed-requests.ts'
import { PAGE_LIFETIME_MS, PRESS_LIMITS } from '../rate-limits/presses.ts'
import { Answer, Choice, choose, isOpen, isSameChoice, readLink } from './link.ts'

import type { Refusal } from '../api/refusal.ts'
import type { Resolution } from '../orders/order.ts'
import type { Fingerprints, Sealer } from '../privacy/personal.ts'
import type { Press } from '../store/links.ts'
import type { MerchantAccount } from '../store/merchant-account.ts'
import type { Store } from '../store/store.ts'
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
const toHex = (base64url: string) => Buffer.from(base64url, 'base64url').toString('hex')
/** The digits of the time at which a page was opened, in seconds. */
const TIME = 8
/** A name: the time and 48 random bits, unlike those of the same second, and 80 bits of their signature. */
const NAME = new RegExp(`^${LINK_ORDER_PREFIX}([0-9a-f]{${HALF}})([0-9a-f]{${HALF}})$`)

/** Returns a name that nobody else has, for the page of a link. */
export function freshName(
  link: Link,
  {
    fingerprints,
    randomness,
    clock,
  }: Pick<LinkDeps, 'fingerprints' | 'clock'> & { randomness: Pick<Randomness, 'token'> },
): string {
  const opened = Math.floor(clock.now() / 1_000)
  const nonce = (opened.toString(16).padStart(TIME, '0') + toHex(randomness.token())).slice(0, HALF)
  return LINK_ORDER_PREFIX + nonce + signatureIn(fingerprints.of('link', signedText(link, nonce)))
}

/**
 * Returns when the page that has the name was opened, in milliseconds; `null` if this server did not make the name for
 * a page of the link, with either value of the secret.
 */
function openedAt(link: Link, name: string, fingerprints: Fingerprints): number | null {
  const [, nonce = '', signature = ''] = NAME.exec(referenceKey(name)) ?? []
  const isSigned = fingerprints
    .all('link', signedText(link, nonce))
    .some((each) => new Secret(signatureIn(each)).equals(signature))
  return isSigned ? Number.parseInt(nonce.slice(0, TIME), 16) * 1_000 : null
}

function signedText({ id }: Link, nonce: string): string {
  return JSON.stringify([id, nonce])
}

function signatureIn(fingerprint: string): string {
  return toHex(fingerprint).slice(0, HALF)
}

/** A program does not learn whether a link was closed, has ended, or never was. */
export const NO_LINK = refuse('order_unknown', 'There is no such link, or it has ended.')

/** Resolves with the link of an id, and whether orders of it can be started. */
export async function findLink(
  { store, account, clock }: Pick<LinkDeps, 'store' | 'account' | 'clock'>,
  id: string,
): Promise<{ link: Link; standing: 'open' | 'ended' } | { link: null; standing: 'unknown' }> {
  const row = await store.findLink(account, id)
  const link = row && readLink(row)
  if (!link) {
    return { link: null, standing: 'unknown' }
  }
  return { link, standing: isOpen(link, clock.now()) ? 'open' : 'ended' }
}

interface Pressed {
  /** The name of the order, as the page has it. */
  name: string
  choice: Choice
  answer: string | undefined
  /** The client network; `null` if it is unknown. */
  network: string | null
}

/** Why a press is refused whose page cannot be pressed any more: the page that follows needs a fresh name. */
const AGED = invalid([
  {
    path: 'order',
    message: `must be the name that a page of this link has, opened less than ${PAGE_LIFETIME_MS / 3_600_000} hours ago`,
  },
])

/** Why a press is refused whose page made an order of another choice: the page that follows needs a fresh name. */
const PRESSED = refuse('order_changed', 'Something else was chosen on this page of the link before.')

/**
 * Stores the press of a page, unless it was pressed before. Resolves with the name of its order, if that is of the same
 * choice: nobody pays for what somebody else chose under the name.
 */
export async function press(
  deps: LinkDeps,
  link: Link,
  { name, choice, answer, network }: Pressed,
): Promise<{ kind: 'pressed'; order: string } | Refusal> {
  const { store, account, fingerprints, sealer, clock } = deps
  const now = clock.now()
  const opened = openedAt(link, name, fingerprints)
  if (opened === null) {
    return AGED
  }

  const chosen = choose(link.terms, choice, answer)
  if ('path' in chosen) {
    return invalid([chosen])
  }

  const order = referenceKey(name)
  // After the system clock jumps back, pages were opened in the future.
  const isAged = Math.abs(now - opened) >= PAGE_LIFETIME_MS
  const isStored =
    isAged ||
    (await store.press(account, {
      order,
      link: link.id,
      network: network === null ? null : fingerprints.of('network', network),
      at: now,
      choice,
      personal: chosen.link.answer === undefined ? null : sealer.seal({ answer }),
    }))
  if (!isStored) {
    const [limit] = PRESS_LIMITS
    return refuseBeyond({ ...limit, name: 'links' }, limit.windowMs, 'This link was pressed too often.')
  }

  const first = await store.findPress(account, order)
  if (!first) {
    return AGED
  }
  return isSameChoice(link.terms, chosen, readPress(first, sealer)) ? { kind: 'pressed', order } : PRESSED
}

const UNKNOWN = refuse('order_unknown', 'There is no order of this name.')

/**
 * Looks up the order of a press. Price and bounds are those that the link has stored. There is none if the link asks a
 * question, and the answer was erased, or cannot be decrypted.
 */
export async function resolveLinkOrder(deps: LinkDeps, name: string): Promise<Resolution> {
  const { store, account, sealer } = deps
  const pressed = await store.findPress(account, name)
  if (!pressed) {
    return UNKNOWN
  }

  const { link, standing } = await findLink(deps, pressed.link)
  if (standing !== 'open') {
    return UNKNOWN
  }

  const { order } = pressed
  const { choice, answer } = readPress(pressed, sealer)
  const chosen = choose(link.terms, choice, answer)
  if ('path' in chosen) {
    return UNKNOWN
  }

  const { currency } = link.terms
  const ofLink = { id: link.id, ...chosen.link }
  return { kind: 'order', order: { ...chosen, order, currency, link: ofLink }, isNewest: true }
}

function readPress({ choice, personal }: Press, sealer: Sealer) {
  const { answer } = personal === null ? {} : Personal.parse(sealer.open(personal) ?? {})
  return { choice: Choice.parse(choice), answer }
}

/** The encrypted part of a press. Empty if the secret was replaced, and the previous one is not accepted. */
const Personal = z.object({ answer: Answer })
