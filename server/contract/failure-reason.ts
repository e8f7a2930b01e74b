/**
 * Reads from the gateway's words why a payment failed. Pure.
 *
 * The spec defines one status for every failed payment (701), and texts whose wording it does not show. [assumed] A
 * text gives a reason if it contains a spelling of {@link SPELLINGS}. Texts that contain none, or spellings of several
 * reasons, give `unknown`: a reason is never guessed. Only the reason is kept; the gateway's text reaches nobody.
 */

import { CHECKOUT_CODE } from './status.ts'

/** The reasons that the gateway can give. */
const NAMED = [
  'not_enough_money',
  'wrong_pin',
  'cancelled',
  'no_answer',
  'limit_reached',
  'number_not_registered',
  'operator_unavailable',
] as const
export const FAILURE_REASONS = [...NAMED, 'unknown'] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

/**
 * The fields in which the gateway says why. `payer_narration` is none of them: it is the merchant's own text. [spec:
 * Checkout error object, Payment record]
 */
export interface FailureWords {
  status_code: number | null
  status_description: string | null
  message: string | null
  receiver_narration?: string | null
}

/** The spellings of each reason, in a text of lower-case words that are separated by single spaces. */
const SPELLINGS = {
  not_enough_money:
    /\b(insufficient|not enough|low) (\w+ ){0,2}(money|funds?|balance)\b|\b(money|funds?|balance) (\w+ ){0,2}(insufficient|not enough|too low)\b/,
  wrong_pin:
    /\b(wrong|incorrect|invalid) (\w+ ){0,2}pin\b|\bpin (\w+ ){0,2}(wrong|incorrect|invalid|not correct|not valid)\b/,
  cancelled:
    /\bcancell?ed\b|\b(declined|rejected|refused) by (the )?(user|customer|payer|subscriber)\b|\b(user|customer|payer|subscriber) (\w+ ){0,2}(declined|rejected|refused)\b/,
  no_answer:
    /\b(prompt|push|ussd|stk|ds|user|customer|payer|subscriber) (\w+ ){0,3}(time ?out|timed out|expired|unreachable|cannot be reached|not reachable|not (answer|respond)\w*)\b|\bno (answer|response|reply) from (the )?(user|customer|payer|subscriber|phone)\b|\bnot answered\b|\bunanswered\b/,
  // A limit of attempts, of requests or of time is not about the amount.
  limit_reached:
    /^(?!.*\b(pin|attempts?|tries|retry|retries|requests?|rate|time)\b).*(\blimits? (\w+ ){0,4}(reached|exceeded)\b|\b(reach|exceed)\w* (\w+ ){0,4}limits?\b|\b(over|above|beyond) (\w+ ){0,3}limits?\b)/,
  number_not_registered:
    /\bunregistered (\w+ )?(number|msisdn|wallet|subscriber|customer|payer|user)\b|\b(number|msisdn|phone|wallet|subscriber|customer|payer|user) (\w+ ){0,2}(not registered|unregistered)\b|\b(msisdn|phone number|mobile number|wallet|subscriber) (\w+ )?(does not exist|not exist|not found)\b|\binvalid (customer |payer )?(msisdn|phone number|mobile number|wallet)\b/,
  operator_unavailable:
    /\b(operator|network|provider|service|system) (\w+ ){0,3}(unavailable|not available|down|offline|unreachable|not reachable|not respond\w*|busy|out of (order|service)|time ?out|timed out)\b/,
} as const satisfies Record<(typeof NAMED)[number], RegExp>

/** @param words The words of the payment record, and those beside the status of which the payment is a part. */
export function failureReasonOf(...words: readonly FailureWords[]): FailureReason {
  const texts = words.flatMap(({ status_description, message, receiver_narration }) =>
    [status_description, message, receiver_narration].map((text) =>
      (text ?? '').toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' '),
    ),
  )
  // [spec: Checkout errors]
  const isWrongNumber = words.some(({ status_code }) => status_code === CHECKOUT_CODE.invalidMsisdn)
  const [reason, another] = NAMED.filter(
    (each) =>
      (each === 'number_not_registered' && isWrongNumber) || texts.some((text) => SPELLINGS[each].test(text)),
  )
  return reason !== undefined && another === undefined ? reason : 'unknown'
}
