// The words that only the hosted page has, by language; the others, such as how a payment ended, are those of the element. A
// bar divides a text into its parts, such as a sentence and a hint.
//
// [assumed] Requests name no language: the customer's browser does, until the customer chooses one on the page.

import { ENGLISH, formatMoney, loadWords } from 'gateway-checkout/words'
import { cityOf, timeZoneOf } from '../money/currencies.ts'
import { receivedBy, remainingOf } from '../sessions/session.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { CheckoutSession } from '../sessions/session.ts'

const en = {
  how: `How would you like to pay? | PIN on your phone | Card | Confirm with your bank | Bank account | In your bank’s app`,
  phone: `This phone is asked to approve.`,
  pay: `Pay {rest} | Sending to your phone… | Asking your bank…`,
  until: `Pay until {time} ({city} time)`,
  asked: `We asked {phone} to approve {amount}. Enter your PIN there. | Not your number? You can enter another one when this request closes | Confirm with your bank | Your bank asks you to approve {amount}.`,
  leave: `You return to the shop in {seconds} seconds. | Stay on this page`,
}

type Words = Readonly<Record<keyof typeof en, string>>

const ar: Words = {
  how: `كيف تريد أن تدفع؟ | الرقم السري على هاتفك | بطاقة | تأكيد لدى مصرفك | حساب مصرفي | في تطبيق مصرفك`,
  phone: `سيُطلب من هذا الهاتف الموافقة.`,
  pay: `ادفع {rest} | جارٍ الإرسال إلى هاتفك… | جارٍ سؤال مصرفك…`,
  until: `ادفع حتى {time} (بتوقيت {city})`,
  asked: `طلبنا من {phone} الموافقة على {amount}. أدخل الرقم السري هناك. | ليس رقمك؟ يمكنك إدخال رقم آخر عند انتهاء هذا الطلب | أكّد الدفع لدى مصرفك | يطلب مصرفك موافقتك على {amount}.`,
  leave: `ستعود إلى المتجر خلال {seconds} ثانية. | البقاء في هذه الصفحة`,
}

const fr: Words = {
  how: `Comment voulez-vous payer\u00a0? | Code secret sur votre téléphone | Carte | Confirmez auprès de votre banque | Compte bancaire | Dans l’application de votre banque`,
  phone: `Ce téléphone recevra la demande.`,
  pay: `Payer {rest} | Envoi à votre téléphone… | Demande à votre banque…`,
  until: `Payez avant {time} (heure de {city})`,
  asked: `Nous avons demandé au {phone} d’approuver {amount}. Saisissez-y votre code secret. | Ce n’est pas votre numéro\u00a0? Vous pourrez en saisir un autre à la fin de cette demande | Confirmez auprès de votre banque | Votre banque vous demande d’approuver {amount}.`,
  leave: `Retour à la boutique dans {seconds} secondes. | Rester sur cette page`,
}

const pt: Words = {
  how: `Como quer pagar? | PIN no seu telemóvel | Cartão | Confirme no seu banco | Conta bancária | Na aplicação do seu banco`,
  phone: `Este telemóvel recebe o pedido.`,
  pay: `Pagar {rest} | A enviar para o seu telemóvel… | A perguntar ao seu banco…`,
  until: `Pague até às {time} (hora de {city})`,
  asked: `Pedimos ao {phone} que aprove {amount}. Escreva lá o seu PIN. | Não é o seu número? Pode escrever outro quando este pedido terminar | Confirme no seu banco | O seu banco pede que aprove {amount}.`,
  leave: `Volta à loja em {seconds} segundos. | Ficar nesta página`,
}

const sw: Words = {
  how: `Ungependa kulipa vipi? | PIN kwenye simu yako | Kadi | Thibitisha na benki yako | Akaunti ya benki | Kwenye programu ya benki yako`,
  phone: `Simu hii itaombwa kuidhinisha.`,
  pay: `Lipa {rest} | Tunatuma kwenye simu yako… | Tunaiuliza benki yako…`,
  until: `Lipa kabla ya {time} (saa za {city})`,
  asked: `Tumeiomba {phone} iidhinishe {amount}. Weka PIN yako hapo. | Si namba yako? Unaweza kuandika nyingine ombi hili likifungwa | Thibitisha na benki yako | Benki yako inakuomba uidhinishe {amount}.`,
  leave: `Utarudi dukani baada ya sekunde {seconds}. | Baki kwenye ukurasa huu`,
}

const WORDS: Readonly<Record<string, Words>> = { en, ar, fr, pt, sw }
export const LANGUAGES = Object.keys(WORDS)

type Values = Readonly<Record<string, string>>

/**
 * Resolves with a function that returns the parts of a text in a language.
 *
 * @param common The values that every text may name, as in "{amount}"; the caller adds those of one text.
 */
export async function sayIn(language: string, common: Values = {}) {
  const { sentence, reason, problem, failure, ...words } = (await loadWords(language)) ?? ENGLISH
  const { sms, offline, endsSoon, backToShop, payer_msisdn, paidTo, receiptNumber, reference } = words
  const labels = { sms, offline, endsSoon, backToShop, payer_msisdn, paidTo, receiptNumber, reference }
  const texts = {
    ...sentence,
    ...reason,
    ...labels,
    unknown: sentence.unpaid,
    wrongNumber: problem.payer_msisdn,
    missing: failure.unknown_checkout,
    ...(WORDS[language] ?? en),
  }
  return (name: keyof typeof texts, more: Values = {}) => {
    const values = { ...common, ...more }
    return [texts[name]]
      .flatMap((text) => (typeof text === 'string' ? text.split(' | ') : text))
      .map((part) => part.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? ''))
  }
}

export type Say = Awaited<ReturnType<typeof sayOf>>

/** Resolves with `sayIn` for the texts about a session. Its `money` writes an amount in the currency, as the element does. */
export async function sayOf(session: CheckoutSession, language: string) {
  const { merchant, service, amount, expiresAt } = session
  const money = (sum: Decimal) => formatMoney(sum, service.currency, language)
  const say = await sayIn(language, {
    payee: merchant.name,
    asked: money(amount),
    paid: money(receivedBy(session)),
    rest: money(remainingOf(session)),
    ...localTime(expiresAt, service.country),
  })
  return Object.assign(say, { money })
}

/**
 * Returns a time of day and where it is that time: in the country in which the customer pays, because the page needs no
 * script, which could ask the browser for its time zone.
 *
 * @param time Milliseconds since the Unix epoch.
 * @param country An ISO 3166-1 alpha-3 code.
 */
function localTime(time: number, country: string): Record<'time' | 'city', string> {
  const timeZone = timeZoneOf(country) ?? 'UTC'
  const format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })
  return { time: format.format(time), city: cityOf(timeZone) }
}
