// The words that only the hosted page has, by language; the others, such as how a payment ended, are those of the
// element.
//
// [assumed] Requests name no language: the customer's browser does, until the customer chooses one on the page.

import { ENGLISH, formatMoney, loadWords } from 'gateway-checkout/words'

import { cityOf, timeZoneOf } from '../money/currencies.ts'
import { receivedBy, remainingOf } from '../sessions/session.ts'

import type { Decimal } from '../../../server/contract/decimal.ts'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Sentence } from 'gateway-checkout/words'

const en = {
  how: `How would you like to pay?`,
  pin: `PIN on your phone`,
  card: [`Card`, `Confirm with your bank`] satisfies Sentence,
  bank: [`Bank account`, `In your bank’s app`] satisfies Sentence,
  phoneHint: `This phone is asked to approve.`,
  askingPhone: `Sending to your phone…`,
  askingBank: `Asking your bank…`,
  until: `Pay until {time} ({city} time)`,
  phoneAsks: `We asked {phone} to approve {amount}. Enter your PIN there.`,
  otherNumber: `Not your number? You can enter another one when this request closes`,
  bankAsks: [`Confirm with your bank`, `Your bank asks you to approve {amount}.`] satisfies Sentence,
  leave: `You return to the shop in {seconds} seconds.`,
  stay: `Stay on this page`,
}

type OwnWords = Readonly<typeof en>

const ar: OwnWords = {
  how: `كيف تريد أن تدفع؟`,
  pin: `الرقم السري على هاتفك`,
  card: [`بطاقة`, `تأكيد لدى مصرفك`],
  bank: [`حساب مصرفي`, `في تطبيق مصرفك`],
  phoneHint: `سيُطلب من هذا الهاتف الموافقة.`,
  askingPhone: `جارٍ الإرسال إلى هاتفك…`,
  askingBank: `جارٍ سؤال مصرفك…`,
  until: `ادفع حتى {time} (بتوقيت {city})`,
  phoneAsks: `طلبنا من {phone} الموافقة على {amount}. أدخل الرقم السري هناك.`,
  otherNumber: `ليس رقمك؟ يمكنك إدخال رقم آخر عند انتهاء هذا الطلب`,
  bankAsks: [`أكّد الدفع لدى مصرفك`, `يطلب مصرفك موافقتك على دفع {amount} من حسابك.`],
  leave: `ستعود إلى المتجر خلال {seconds} ثانية.`,
  stay: `البقاء في هذه الصفحة`,
}

const fr: OwnWords = {
  how: `Comment voulez-vous payer\u00a0?`,
  pin: `Code secret sur votre téléphone`,
  card: [`Carte`, `Confirmez auprès de votre banque`],
  bank: [`Compte bancaire`, `Dans l’application de votre banque`],
  phoneHint: `Ce téléphone recevra la demande.`,
  askingPhone: `Envoi à votre téléphone…`,
  askingBank: `Demande à votre banque…`,
  until: `Payez avant {time} (heure de {city})`,
  phoneAsks: `Nous avons demandé au {phone} d’approuver {amount}. Saisissez-y votre code secret.`,
  otherNumber: `Ce n’est pas votre numéro\u00a0? Vous pourrez en saisir un autre à la fin de cette demande`,
  bankAsks: [`Confirmez auprès de votre banque`, `Votre banque vous demande d’approuver {amount}.`],
  leave: `Retour à la boutique dans {seconds} secondes.`,
  stay: `Rester sur cette page`,
}

const pt: OwnWords = {
  how: `Como quer pagar?`,
  pin: `PIN no seu telemóvel`,
  card: [`Cartão`, `Confirme no seu banco`],
  bank: [`Conta bancária`, `Na aplicação do seu banco`],
  phoneHint: `Este telemóvel recebe o pedido.`,
  askingPhone: `A enviar para o seu telemóvel…`,
  askingBank: `A perguntar ao seu banco…`,
  until: `Pague até às {time} (hora de {city})`,
  phoneAsks: `Pedimos ao {phone} que aprove {amount}. Escreva lá o seu PIN.`,
  otherNumber: `Não é o seu número? Pode escrever outro quando este pedido terminar`,
  bankAsks: [`Confirme no seu banco`, `O seu banco pede que aprove {amount}.`],
  leave: `Volta à loja em {seconds} segundos.`,
  stay: `Ficar nesta página`,
}

const sw: OwnWords = {
  how: `Ungependa kulipa vipi?`,
  pin: `PIN kwenye simu yako`,
  card: [`Kadi`, `Thibitisha na benki yako`],
  bank: [`Akaunti ya benki`, `Kwenye programu ya benki yako`],
  phoneHint: `Simu hii itaombwa kuidhinisha.`,
  askingPhone: `Tunatuma kwenye simu yako…`,
  askingBank: `Tunaiuliza benki yako…`,
  until: `Lipa kabla ya {time} (saa za {city})`,
  phoneAsks: `Tumeiomba {phone} iidhinishe {amount}. Weka PIN yako hapo.`,
  otherNumber: `Si namba yako? Unaweza kuandika nyingine ombi hili likifungwa`,
  bankAsks: [`Thibitisha na benki yako`, `Benki yako inakuomba uidhinishe {amount}.`],
  leave: `Utarudi dukani baada ya sekunde {seconds}.`,
  stay: `Baki kwenye ukurasa huu`,
}

const WORDS: Readonly<Record<string, OwnWords>> = { en, ar, fr, pt, sw }
export const LANGUAGES = Object.keys(WORDS)

type Values = Readonly<Record<string, string>>

/**
 * Resolves with a function that returns a text in a language. Its `sentence` returns a title and a text about it.
 *
 * @param common The values that every text may name, as in "{amount}"; the caller adds those of one text.
 */
export async function sayIn(language: string, common: Values = {}) {
  const words = (await loadWords(language)) ?? ENGLISH
  const { sms, offline, endsSoon, backToShop, payer_msisdn, paidTo, receiptNumber, reference } = words
  const { card, bank, bankAsks, ...own } = WORDS[language] ?? en
  const labels = { sms, offline, endsSoon, backToShop, payer_msisdn, paidTo, receiptNumber, reference }
  const pay = `${words.pay} {rest}`
  const wrongNumber = words.problem.payer_msisdn
  const texts = { ...labels, pay, wrongNumber, ...own }
  const { sentence, reason, failure } = words
  const others = { unknown: sentence.unpaid, missing: failure.unknown_checkout, card, bank, bankAsks }
  const sentences = { ...sentence, ...reason, ...others }
  const fill = (text: string, more: Values) =>
    text.replace(/\{(\w+)\}/g, (_, key: string) => more[key] ?? common[key] ?? '')
  const say = (name: keyof typeof texts, more: Values = {}) => fill(texts[name], more)
  return Object.assign(say, {
    sentence(name: keyof typeof sentences, more: Values = {}) {
      const [title, text] = sentences[name]
      return { title: fill(title, more), text: fill(text, more) }
    },
  })
}

export type Say = Awaited<ReturnType<typeof sayOf>>

/**
 * Resolves with `sayIn` for the texts about a session. Its `money` writes an amount in the currency, as the element
 * does.
 */
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
