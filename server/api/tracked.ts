/** What the merchant may see of everything that is sent and then followed: payouts, charges, airtime. */

import { z } from 'zod'

/** What became of one of them. */
export const TRACKED_OUTCOMES = [
  /** Not known yet whether the gateway has it. */
  'sending',
  'pending',
  'succeeded',
  'failed',
  'reversed',
  'refunded',
  'needs_attention',
] as const
export type TrackedOutcome = (typeof TRACKED_OUTCOMES)[number]

/** An outcome, and whether it is the end, as far as anybody can know today. */
export interface TrackedState {
  outcome: TrackedOutcome
  settled: boolean
}

/** How it stands. */
export const standing = {
  outcome: z.enum(TRACKED_OUTCOMES).describe('What it came to. Branch on this.'),
  settled: z.boolean().describe('Whether this is the end, as far as anybody can know today.'),
}

export const attention = z.string().nullable().describe('Why a person has to look; null when nobody has to.')

/** Where it belongs, and since when. */
export const commonFields = {
  environment: z.enum(['sandbox', 'production']),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
}

export const version = z.int().describe('Grows with every change.')
