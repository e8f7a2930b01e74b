// The words of the hosted page, by language. A bar divides a text into its parts, such as a sentence and a hint.
//
// [assumed] Requests name no language: the customer's browser does, until the customer chooses one on the page.
//
// Texts state only what the operator has confirmed. What shops say, too, such as why a payment failed, is in the words of
// the element.

import { ENGLISH, formatMoney, loadWords } from 'gateway-checkout/words'

const en = {
  how: `How would you like to pay? | PIN on your phone | Card | Confirm with your bank | Bank account | In your bank’s app`,
  phone: `Phone number | This phone is asked to approve. | Check the phone number.`,
  pay: `Pay {amount} | Sending to your phone… | Asking your bank…`,
  left: `Left to pay | {paid} of {asked} is paid. | Pay until {time} ({city} time)`,
  asked: `We asked {phone} to approve {amount}. Enter your PIN there. | Not your number? You can enter another one when this request closes | Confirm with your bank | Your bank asks you to approve {amount}.`,
  approved: `Your payment is on its way | You approved {amount}. The network is slow. Please do not pay again.`,
  stuck: `Your payment needs a closer look | The operator has not confirmed it yet. Please do not pay again. We will notify the shop of the result.`,
  paid: `Payment received | To {merchant} | This is more than the requested {asked}. Ask the shop about the difference. | You return to the shop in {seconds} seconds. | Stay on this page`,
  given_back: `{asked} goes back to the phone or account that you paid from. If it does not arrive, ask {merchant}.`,
  over: `No payment was confirmed in time. Go back to the shop to start again. | You paid {paid} of {asked}. Do not pay this part again: the shop will tell you how to pay the rest.`,
  records: `Receipt | Reference`,
  trouble: `No connection. Your payment is not lost; we keep looking. | This payment page does not exist. If you have paid, do not pay again: ask the shop.`,
}

type Words = Readonly<Record<keyof typeof en, string>>

const ar: Words = {
  how: `كيف تريد أن تدفع؟ | الرقم السري على هاتفك | بطاقة | تأكيد لدى مصرفك | حساب مصرفي | في تطبيق مصرفك`,
  phone: `رقم الهاتف | سيُطلب من هذا الهاتف الموافقة. | تحقق من رقم الهاتف.`,
  pay: `ادفع {amount} | جارٍ الإرسال إلى هاتفك… | جارٍ سؤال مصرفك…`,
  left: `الباقي | دُفع {paid} من أصل {asked}. | ادفع حتى {time} (بتوقيت {city})`,
  asked: `طلبنا من {phone} الموافقة على {amount}. أدخل الرقم السري هناك. | ليس رقمك؟ يمكنك إدخال رقم آخر عند انتهاء هذا الطلب | أكّد الدفع لدى مصرفك | يطلب مصرفك موافقتك على {amount}.`,
  approved: `دفعتك في الطريق | وافقت على {amount}. الشبكة بطيئة. يرجى عدم الدفع مرة أخرى.`,
  stuck: `دفعتك تحتاج إلى مراجعة | لم تؤكدها شركة الاتصالات بعد. يرجى عدم الدفع مرة أخرى. سنبلغ المتجر بالنتيجة.`,
  paid: `تم استلام الدفع | إلى {merchant} | هذا أكثر من المطلوب {asked}. اسأل المتجر عن الفرق. | ستعود إلى المتجر خلال {seconds} ثانية. | البقاء في هذه الصفحة`,
  given_back: `يعود {asked} إلى الهاتف أو الحساب الذي دفعت منه. إذا لم يصل فاسأل {merchant}.`,
  over: `لم يتأكد أي دفع في الوقت المحدد. عد إلى المتجر للبدء من جديد. | دفعت {paid} من أصل {asked}. لا تدفع هذا الجزء مرة أخرى: سيخبرك المتجر كيف تدفع الباقي.`,
  records: `رقم الإيصال | رقم المرجع`,
  trouble: `لا يوجد اتصال. لم تضِع دفعتك؛ ما زلنا نتحقق. | صفحة الدفع هذه غير موجودة. إذا دفعت بالفعل فلا تدفع مرة أخرى: اسأل المتجر.`,
}

const fr: Words = {
  how: `Comment voulez-vous payer\u00a0? | Code secret sur votre téléphone | Carte | Confirmez auprès de votre banque | Compte bancaire | Dans l’application de votre banque`,
  phone: `Numéro de téléphone | Ce téléphone recevra la demande. | Vérifiez le numéro de téléphone.`,
  pay: `Payer {amount} | Envoi à votre téléphone… | Demande à votre banque…`,
  left: `Reste à payer | {paid} sur {asked} sont payés. | Payez avant {time} (heure de {city})`,
  asked: `Nous avons demandé au {phone} d’approuver {amount}. Saisissez-y votre code secret. | Ce n’est pas votre numéro\u00a0? Vous pourrez en saisir un autre à la fin de cette demande | Confirmez auprès de votre banque | Votre banque vous demande d’approuver {amount}.`,
  approved: `Votre paiement est en route | Vous avez approuvé {amount}. Le réseau est lent. Veuillez ne pas payer à nouveau.`,
  stuck: `Votre paiement doit être vérifié | L’opérateur ne l’a pas encore confirmé. Veuillez ne pas payer à nouveau. Nous informerons la boutique du résultat.`,
  paid: `Paiement reçu | À {merchant} | C’est plus que les {asked} demandés. Interrogez la boutique sur la différence. | Retour à la boutique dans {seconds} secondes. | Rester sur cette page`,
  given_back: `{asked} reviennent sur le téléphone ou le compte utilisé. Si rien n’arrive, contactez {merchant}.`,
  over: `Aucun paiement confirmé dans les délais. Retournez à la boutique pour recommencer. | Vous avez payé {paid} sur {asked}. Ne payez pas cette partie à nouveau\u00a0: la boutique vous dira comment payer le reste.`,
  records: `Reçu | Référence`,
  trouble: `Pas de connexion. Votre paiement n’est pas perdu\u00a0; nous continuons de vérifier. | Cette page de paiement n’existe pas. Si vous avez payé, ne payez pas à nouveau\u00a0: contactez la boutique.`,
}

const pt: Words = {
  how: `Como quer pagar? | PIN no seu telemóvel | Cartão | Confirme no seu banco | Conta bancária | Na aplicação do seu banco`,
  phone: `Número de telemóvel | Este telemóvel recebe o pedido. | Verifique o número de telemóvel.`,
  pay: `Pagar {amount} | A enviar para o seu telemóvel… | A perguntar ao seu banco…`,
  left: `Falta pagar | {paid} de {asked} estão pagos. | Pague até às {time} (hora de {city})`,
  asked: `Pedimos ao {phone} que aprove {amount}. Escreva lá o seu PIN. | Não é o seu número? Pode escrever outro quando este pedido terminar | Confirme no seu banco | O seu banco pede que aprove {amount}.`,
  approved: `O seu pagamento está a caminho | Aprovou {amount}. A rede está lenta. Por favor, não pague de novo.`,
  stuck: `O seu pagamento precisa de ser verificado | A operadora ainda não o confirmou. Por favor, não pague de novo. Vamos informar a loja do resultado.`,
  paid: `Pagamento recebido | Para {merchant} | É mais do que os {asked} pedidos. Pergunte à loja pela diferença. | Volta à loja em {seconds} segundos. | Ficar nesta página`,
  given_back: `{asked} voltam para o telemóvel ou a conta com que pagou. Se não chegarem, pergunte a {merchant}.`,
  over: `Nenhum pagamento foi confirmado a tempo. Volte à loja para começar de novo. | Pagou {paid} de {asked}. Não pague esta parte de novo: a loja vai dizer-lhe como pagar o resto.`,
  records: `Recibo | Referência`,
  trouble: `Sem ligação. O seu pagamento não se perdeu; continuamos a verificar. | Esta página de pagamento não existe. Se já pagou, não pague de novo: pergunte à loja.`,
}

const sw: Words = {
  how: `Ungependa kulipa vipi? | PIN kwenye simu yako | Kadi | Thibitisha na benki yako | Akaunti ya benki | Kwenye programu ya benki yako`,
  phone: `Namba ya simu | Simu hii itaombwa kuidhinisha. | Angalia namba ya simu.`,
  pay: `Lipa {amount} | Tunatuma kwenye simu yako… | Tunaiuliza benki yako…`,
  left: `Imebaki kulipwa | {paid} kati ya {asked} imelipwa. | Lipa kabla ya {time} (saa za {city})`,
  asked: `Tumeiomba {phone} iidhinishe {amount}. Weka PIN yako hapo. | Si namba yako? Unaweza kuandika nyingine ombi hili likifungwa | Thibitisha na benki yako | Benki yako inakuomba uidhinishe {amount}.`,
  approved: `Malipo yako yako njiani | Umeidhinisha {amount}. Mtandao ni wa polepole. Tafadhali usilipe tena.`,
  stuck: `Malipo yako yanahitaji kukaguliwa | Mtandao wa simu bado haujayathibitisha. Tafadhali usilipe tena. Tutalijulisha duka matokeo.`,
  paid: `Malipo yamepokelewa | Kwa {merchant} | Ni zaidi ya {asked} iliyoombwa. Uliza duka kuhusu tofauti. | Utarudi dukani baada ya sekunde {seconds}. | Baki kwenye ukurasa huu`,
  given_back: `{asked} inarudi kwenye simu au akaunti uliyolipia. Isipofika, uliza {merchant}.`,
  over: `Hakuna malipo yaliyothibitishwa kwa wakati. Rudi dukani uanze upya. | Umelipa {paid} kati ya {asked}. Usilipe sehemu hii tena: duka litakuambia jinsi ya kulipa kiasi kilichobaki.`,
  records: `Risiti | Kumbukumbu`,
  trouble: `Hakuna mtandao. Malipo yako hayajapotea; tunaendelea kuangalia. | Ukurasa huu wa malipo haupo. Kama umelipa, usilipe tena: uliza duka.`,
}

const WORDS: Readonly<Record<string, Words>> = { en, ar, fr, pt, sw }
export const LANGUAGES = Object.keys(WORDS)

/** Returns the parts of a text with the values in their places. `money` writes an amount as the element does. */
export type Say = Awaited<ReturnType<typeof sayIn>>

export async function sayIn(language: string) {
  const { sentence, reason, sms, endsSoon: soon, backToShop: back } = (await loadWords(language)) ?? ENGLISH
  const { unpaid: unknown, prompted, reversed, refunded, expired, partialEnded } = sentence
  const shared = { ...reason, unknown, prompted, reversed, refunded, expired, partialEnded, sms, soon, back }
  type Texts = Readonly<Record<keyof typeof shared | keyof Words, string | readonly string[]>>
  const texts: Texts = { ...shared, ...(WORDS[language] ?? en) }
  const say = (name: keyof Texts, values: Readonly<Record<string, string>> = {}) =>
    [texts[name]]
      .flatMap((text) => (typeof text === 'string' ? text.split(' | ') : text))
      .map((part) => part.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? ''))
  return Object.assign(say, {
    money: (amount: string, currency: string) => formatMoney(amount, currency, language),
  })
}
