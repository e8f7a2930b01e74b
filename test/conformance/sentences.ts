/** Rules that the specification states in sentences, outside tables and lists; the ids are ours. */

export interface SentenceRule {
  /** The name within its chapter. */
  id: string
  /** The specification's own words. */
  says: string
}

export const SENTENCES: readonly SentenceRule[] = [
  { id: 'status query', says: 'The checkout status query returns the same payload as the callback.' },
  { id: 'required fields', says: 'Which of these are required: not shown.' },
  { id: 'extra_data', says: 'extra_data carries transaction metadata.' },
  {
    id: 'split_settlements',
    says: 'For split settlements it holds split_settlements, an array of entries:',
  },
  {
    id: 'dynamic accounts',
    says: 'Some partner accounts are dynamic and must be included in every request.',
  },
  { id: 'all required', says: 'All fields are required unless noted.' },
  { id: 'values as strings', says: 'In the shapes given, all values travel as JSON strings.' },
  { id: 'transitions', says: 'Transitions: not shown.' },
  { id: 'not final', says: 'Statuses 601 and 604 are treated as not final and are re-queried.' },
  {
    id: 'token',
    says: 'All calls except authentication carry the header x-access-token (see Authentication).',
  },
  { id: 'JSON', says: 'Request and response bodies are JSON.' },
  { id: 'POST', says: 'The service sends callbacks (HTTP POST with JSON body) to the merchant.' },
  { id: 'acknowledged by 200', says: 'The merchant acknowledges with HTTP 200.' },
  { id: 'B2B, missing required fields', says: 'missing required fields' },
  { id: 'B2B, invalid recipient_type', says: 'invalid recipient_type' },
  { id: 'B2B, unreachable callback_url', says: 'unreachable callback_url' },
  { id: 'B2B, insufficient funds', says: 'insufficient funds' },
  { id: 'B2B, bad token', says: 'bad token' },
  { id: 'B2B, wrong payout_reference', says: 'wrong payout_reference in a status query' },
  {
    id: 'B2B, unique payout_reference',
    says: 'The payout_reference must be unique or a duplication error results.',
  },
  { id: 'error object', says: 'Error object: status_code, status_description, message.' },
  { id: 'HTTP status', says: 'HTTP status is 400 or another 4xx/5xx depending on the error.' },
  {
    id: 'unknown id',
    says: 'a status query for an unknown id returns the error object with status_code 120 and a message naming the unknown reference.',
  },
  { id: 'unauthorized call', says: 'An unauthorized call returns 401.' },
  { id: 'HTTP status codes', says: 'Full list of HTTP status codes per endpoint: not shown.' },
  { id: 'airtime error codes', says: 'Airtime error codes beyond 721: not shown.' },
  { id: 'rate limits', says: 'Rate limits: not shown.' },
  { id: 'payout amounts', says: 'Minimum and maximum payout amounts: not shown.' },
]

/** Sentences that introduce or explain, and contain no rule. */
export const INTRODUCTIONS: readonly string[] = [
  'This document covers the whole service: authentication, exchange rates, hosted checkout, charge requests with split settlements, payouts to mobile money wallets and banks (local and international), business-to-business payouts, bulk airtime, float account balance, callbacks, status codes and errors.',
  'It is the only document.',
  'In the identifiers below the mobile-money operator part is written MOMO.',
  'Address placeholders: {base_url} is the service base address of the environment in use.',
  '{dashboard_url} is the merchant portal address of the environment in use.',
  'The service is a payment gateway for merchants.',
  'It provides:',
  'General behaviour:',
  'Token response fields:',
  'Response:',
  'Payment record (element of payments):',
  'Notes:',
  'Rules:',
  'Inbound calls made by the service to the merchant (callbacks) are listed under Events.',
  'General B2B failure causes:',
]
