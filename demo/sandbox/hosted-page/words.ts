// The words of the hosted page, by language. A bar divides a text into its parts, such as a title and its sentence.
//
// [assumed] Requests name no language: the customer's browser does, until the customer chooses one on the page.
//
// Texts state only what the operator has confirmed. What they say of a failed payment is what shops say of it, too.

const en = {
  how: `How would you like to pay? | PIN on your phone | Card | Confirm with your bank | Bank account | In your bank’s app`,
  phone: `Phone number | This phone is asked to approve. | Check the phone number.`,
  pay: `Pay {amount} | Sending to your phone… | Asking your bank…`,
  left: `Left to pay | {paid} of {asked} is paid. | Pay until {time} ({city} time) | Less than two minutes left to pay.`,
  prompted: `Check your phone | We asked {phone} to approve {amount}. Enter your PIN there. | Not your number? You can enter another one when this request closes | Confirm with your bank | Your bank asks you to approve {amount}.`,
  approved: `Your payment is on its way | You approved {amount}. The network is slow. Please do not pay again.`,
  stuck: `Your payment needs a closer look | The operator has not confirmed it yet. Please do not pay again. We will notify the shop of the result.`,
  paid: `Payment received | To {merchant} | This is more than the requested {asked}. Ask the shop about the difference. | You return to the shop in {seconds} seconds. | Stay on this page`,
  given_back: `Payment reversed | Refunded | {asked} goes back to the phone or account that you paid from. If it does not arrive, ask {merchant}.`,
  expired: `The time to pay has ended | No payment was confirmed in time. Go back to the shop to start again. | Paid in part | You paid {paid} of {asked}. Do not pay this part again: the shop will tell you how to pay the rest.`,
  not_enough_money: `Not enough money | Add money to your account, or pay from another one.`,
  wrong_pin: `The PIN was wrong | Try again, with the PIN of your mobile money.`,
  cancelled: `The request was cancelled | You can try again when you are ready.`,
  no_answer: `The request was not answered | Unlock your phone, try again and enter your PIN.`,
  limit_reached: `Account limit reached | Pay from another number, or ask your operator about it.`,
  number_not_registered: `This number has no mobile money | Check the number, or use another one.`,
  operator_unavailable: `Your operator is unavailable | Try again in a few minutes, or pay another way.`,
  unknown: `That did not go through | No payment was confirmed. You can try again.`,
  sms: `If your SMS says that money left, do not pay again.`,
  records: `Receipt | Reference`,
  back: `Back to the shop`,
  trouble: `No connection. Your payment is not lost; we keep looking. | This payment page does not exist. If you have paid, do not pay again: ask the shop.`,
}

type Words = Readonly<Record<keyof typeof en, string>>

const ar: Words = {
  how: `كيف تريد أن تدفع؟ | الرقم السري على هاتفك | بطاقة | تأكيد لدى مصرفك | حساب مصرفي | في تطبيق مصرفك`,
  phone: `رقم الهاتف | سيُطلب من هذا الهاتف الموافقة. | تحقق من رقم الهاتف.`,
  pay: `ادفع {amount} | جارٍ الإرسال إلى هاتفك… | جارٍ سؤال مصرفك…`,
  left: `الباقي | دُفع {paid} من أصل {asked}. | ادفع حتى {time} (بتوقيت {city}) | بقي أقل من دقيقتين للدفع.`,
  prompted: `انظر إلى هاتفك | طلبنا من {phone} الموافقة على {amount}. أدخل الرقم السري هناك. | ليس رقمك؟ يمكنك إدخال رقم آخر عند انتهاء هذا الطلب | أكّد الدفع لدى مصرفك | يطلب مصرفك موافقتك على {amount}.`,
  approved: `دفعتك في الطريق | وافقت على {amount}. الشبكة بطيئة. يرجى عدم الدفع مرة أخرى.`,
  stuck: `دفعتك تحتاج إلى مراجعة | لم تؤكدها شركة الاتصالات بعد. يرجى عدم الدفع مرة أخرى. سنبلغ المتجر بالنتيجة.`,
  paid: `تم استلام الدفع | إلى {merchant} | هذا أكثر من المطلوب {asked}. اسأل المتجر عن الفرق. | ستعود إلى المتجر خلال {seconds} ثانية. | البقاء في هذه الصفحة`,
  given_back: `تم عكس عملية الدفع | تم رد المبلغ | يعود {asked} إلى الهاتف أو الحساب الذي دفعت منه. إذا لم يصل فاسأل {merchant}.`,
  expired: `انتهى وقت الدفع | لم يتأكد أي دفع في الوقت المحدد. عد إلى المتجر للبدء من جديد. | تم دفع جزء من المبلغ | دفعت {paid} من أصل {asked}. لا تدفع هذا الجزء مرة أخرى: سيخبرك المتجر كيف تدفع الباقي.`,
  not_enough_money: `الرصيد غير كافٍ | اشحن حسابك، أو ادفع من حساب آخر.`,
  wrong_pin: `كان الرقم السري خاطئًا | أعد المحاولة بالرقم السري لمحفظتك.`,
  cancelled: `أُلغي الطلب | يمكنك إعادة المحاولة متى شئت.`,
  no_answer: `لم يُجَب على الطلب | افتح قفل هاتفك، وأعد المحاولة، وأدخل الرقم السري عندما يطلبه.`,
  limit_reached: `بلغ حسابك أحد حدوده | ادفع من رقم آخر، أو اسأل شركة الاتصالات عن الحد.`,
  number_not_registered: `لا توجد محفظة لهذا الرقم | تحقق من الرقم، أو استخدم رقمًا له محفظة.`,
  operator_unavailable: `شركة الاتصالات غير متاحة | انتظر بضع دقائق وأعد المحاولة، أو ادفع بطريقة أخرى.`,
  unknown: `لم تنجح محاولتك الأخيرة | لم يتأكد أي دفع. يمكنك إعادة المحاولة.`,
  sms: `إذا ذكرت رسالة SMS أن مالًا خرج من حسابك فلا تدفع مرة أخرى.`,
  records: `رقم الإيصال | رقم المرجع`,
  back: `العودة إلى المتجر`,
  trouble: `لا يوجد اتصال. لم تضِع دفعتك؛ ما زلنا نتحقق. | صفحة الدفع هذه غير موجودة. إذا دفعت بالفعل فلا تدفع مرة أخرى: اسأل المتجر.`,
}

const fr: Words = {
  how: `Comment voulez-vous payer\u00a0? | Code secret sur votre téléphone | Carte | Confirmez auprès de votre banque | Compte bancaire | Dans l’application de votre banque`,
  phone: `Numéro de téléphone | Ce téléphone recevra la demande. | Vérifiez le numéro de téléphone.`,
  pay: `Payer {amount} | Envoi à votre téléphone… | Demande à votre banque…`,
  left: `Reste à payer | {paid} sur {asked} sont payés. | Payez avant {time} (heure de {city}) | Il reste moins de deux minutes pour payer.`,
  prompted: `Consultez votre téléphone | Nous avons demandé au {phone} d’approuver {amount}. Saisissez-y votre code secret. | Ce n’est pas votre numéro\u00a0? Vous pourrez en saisir un autre à la fin de cette demande | Confirmez auprès de votre banque | Votre banque vous demande d’approuver {amount}.`,
  approved: `Votre paiement est en route | Vous avez approuvé {amount}. Le réseau est lent. Veuillez ne pas payer à nouveau.`,
  stuck: `Votre paiement doit être vérifié | L’opérateur ne l’a pas encore confirmé. Veuillez ne pas payer à nouveau. Nous informerons la boutique du résultat.`,
  paid: `Paiement reçu | À {merchant} | C’est plus que les {asked} demandés. Interrogez la boutique sur la différence. | Retour à la boutique dans {seconds} secondes. | Rester sur cette page`,
  given_back: `Paiement annulé | Remboursé | {asked} reviennent sur le téléphone ou le compte utilisé. Si rien n’arrive, contactez {merchant}.`,
  expired: `Le délai de paiement est dépassé | Aucun paiement confirmé dans les délais. Retournez à la boutique pour recommencer. | Payé en partie | Vous avez payé {paid} sur {asked}. Ne payez pas cette partie à nouveau\u00a0: la boutique vous dira comment payer le reste.`,
  not_enough_money: `Solde insuffisant | Ajoutez de l’argent à votre compte, ou payez avec un autre.`,
  wrong_pin: `Le code secret était incorrect | Réessayez, avec le code secret de votre compte mobile.`,
  cancelled: `La demande a été annulée | Vous pouvez réessayer quand vous voulez.`,
  no_answer: `La demande est restée sans réponse | Déverrouillez votre téléphone, puis réessayez.`,
  limit_reached: `Plafond du compte atteint | Payez avec un autre numéro, ou contactez l’opérateur.`,
  number_not_registered: `Ce numéro n’a pas de compte mobile | Vérifiez-le, ou utilisez-en un autre.`,
  operator_unavailable: `Opérateur indisponible | Réessayez dans quelques minutes, ou payez autrement.`,
  unknown: `Votre dernière tentative n’a pas abouti | Aucun paiement confirmé. Vous pouvez réessayer.`,
  sms: `Si votre SMS dit que de l’argent est parti, ne payez pas à nouveau.`,
  records: `Reçu | Référence`,
  back: `Retour à la boutique`,
  trouble: `Pas de connexion. Votre paiement n’est pas perdu\u00a0; nous continuons de vérifier. | Cette page de paiement n’existe pas. Si vous avez payé, ne payez pas à nouveau\u00a0: contactez la boutique.`,
}

const pt: Words = {
  how: `Como quer pagar? | PIN no seu telemóvel | Cartão | Confirme no seu banco | Conta bancária | Na aplicação do seu banco`,
  phone: `Número de telemóvel | Este telemóvel recebe o pedido. | Verifique o número de telemóvel.`,
  pay: `Pagar {amount} | A enviar para o seu telemóvel… | A perguntar ao seu banco…`,
  left: `Falta pagar | {paid} de {asked} estão pagos. | Pague até às {time} (hora de {city}) | Faltam menos de dois minutos para pagar.`,
  prompted: `Veja o seu telemóvel | Pedimos ao {phone} que aprove {amount}. Escreva lá o seu PIN. | Não é o seu número? Pode escrever outro quando este pedido terminar | Confirme no seu banco | O seu banco pede que aprove {amount}.`,
  approved: `O seu pagamento está a caminho | Aprovou {amount}. A rede está lenta. Por favor, não pague de novo.`,
  stuck: `O seu pagamento precisa de ser verificado | A operadora ainda não o confirmou. Por favor, não pague de novo. Vamos informar a loja do resultado.`,
  paid: `Pagamento recebido | Para {merchant} | É mais do que os {asked} pedidos. Pergunte à loja pela diferença. | Volta à loja em {seconds} segundos. | Ficar nesta página`,
  given_back: `Pagamento revertido | Reembolsado | {asked} voltam para o telemóvel ou a conta com que pagou. Se não chegarem, pergunte a {merchant}.`,
  expired: `O prazo para pagar terminou | Nenhum pagamento foi confirmado a tempo. Volte à loja para começar de novo. | Pago em parte | Pagou {paid} de {asked}. Não pague esta parte de novo: a loja vai dizer-lhe como pagar o resto.`,
  not_enough_money: `Saldo insuficiente | Carregue a sua conta, ou pague com outra.`,
  wrong_pin: `O PIN estava errado | Tente de novo, com o PIN da sua conta móvel.`,
  cancelled: `O pedido foi cancelado | Pode tentar de novo quando quiser.`,
  no_answer: `O pedido ficou sem resposta | Desbloqueie o telemóvel, tente de novo e escreva o seu PIN.`,
  limit_reached: `A sua conta atingiu um limite | Pague com outro número, ou pergunte à sua operadora.`,
  number_not_registered: `Este número não tem conta móvel | Verifique o número, ou use outro.`,
  operator_unavailable: `A sua operadora está indisponível | Tente mais tarde, ou pague de outra forma.`,
  unknown: `A sua última tentativa não resultou | Nenhum pagamento foi confirmado. Pode tentar de novo.`,
  sms: `Se o seu SMS diz que saiu dinheiro, não pague de novo.`,
  records: `Recibo | Referência`,
  back: `Voltar à loja`,
  trouble: `Sem ligação. O seu pagamento não se perdeu; continuamos a verificar. | Esta página de pagamento não existe. Se já pagou, não pague de novo: pergunte à loja.`,
}

const sw: Words = {
  how: `Ungependa kulipa vipi? | PIN kwenye simu yako | Kadi | Thibitisha na benki yako | Akaunti ya benki | Kwenye programu ya benki yako`,
  phone: `Namba ya simu | Simu hii itaombwa kuidhinisha. | Angalia namba ya simu.`,
  pay: `Lipa {amount} | Tunatuma kwenye simu yako… | Tunaiuliza benki yako…`,
  left: `Imebaki kulipwa | {paid} kati ya {asked} imelipwa. | Lipa kabla ya {time} (saa za {city}) | Zimebaki chini ya dakika mbili za kulipa.`,
  prompted: `Angalia simu yako | Tumeiomba {phone} iidhinishe {amount}. Weka PIN yako hapo. | Si namba yako? Unaweza kuandika nyingine ombi hili likifungwa | Thibitisha na benki yako | Benki yako inakuomba uidhinishe {amount}.`,
  approved: `Malipo yako yako njiani | Umeidhinisha {amount}. Mtandao ni wa polepole. Tafadhali usilipe tena.`,
  stuck: `Malipo yako yanahitaji kukaguliwa | Mtandao wa simu bado haujayathibitisha. Tafadhali usilipe tena. Tutalijulisha duka matokeo.`,
  paid: `Malipo yamepokelewa | Kwa {merchant} | Ni zaidi ya {asked} iliyoombwa. Uliza duka kuhusu tofauti. | Utarudi dukani baada ya sekunde {seconds}. | Baki kwenye ukurasa huu`,
  given_back: `Malipo yamebatilishwa | Pesa zimerudishwa | {asked} inarudi kwenye simu au akaunti uliyolipia. Isipofika, uliza {merchant}.`,
  expired: `Muda wa kulipa umeisha | Hakuna malipo yaliyothibitishwa kwa wakati. Rudi dukani uanze upya. | Imelipwa kwa sehemu | Umelipa {paid} kati ya {asked}. Usilipe sehemu hii tena: duka litakuambia jinsi ya kulipa kiasi kilichobaki.`,
  not_enough_money: `Salio halitoshi | Ongeza pesa kwenye akaunti yako, au lipa kwa akaunti nyingine.`,
  wrong_pin: `PIN haikuwa sahihi | Jaribu tena, kwa PIN ya akaunti yako ya pesa.`,
  cancelled: `Ombi limeghairiwa | Unaweza kujaribu tena ukiwa tayari.`,
  no_answer: `Ombi halikujibiwa | Fungua simu yako, jaribu tena, na uweke PIN simu ikiuliza.`,
  limit_reached: `Kikomo cha akaunti yako kimefikiwa | Lipa kwa namba nyingine, au uliza mtandao wako.`,
  number_not_registered: `Namba hii haina akaunti ya pesa | Angalia namba, au tumia namba nyingine.`,
  operator_unavailable: `Mtandao wako haupatikani | Jaribu tena baadaye, au lipa kwa njia nyingine.`,
  unknown: `Jaribio lako halikufanikiwa | Hakuna malipo yaliyothibitishwa. Unaweza kujaribu tena.`,
  sms: `Kama SMS yako inasema pesa zimetoka, usilipe tena.`,
  records: `Risiti | Kumbukumbu`,
  back: `Rudi dukani`,
  trouble: `Hakuna mtandao. Malipo yako hayajapotea; tunaendelea kuangalia. | Ukurasa huu wa malipo haupo. Kama umelipa, usilipe tena: uliza duka.`,
}

const WORDS: Readonly<Record<string, Words>> = { en, ar, fr, pt, sw }
export const LANGUAGES = Object.keys(WORDS)

/** Returns the parts of a text with the values in their places. */
export type Say = (name: keyof Words, values?: Readonly<Record<string, string>>) => string[]

export function sayIn(language: string): Say {
  const words = WORDS[language] ?? en
  return (name, values = {}) =>
    words[name].split(' | ').map((part) => part.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? ''))
}
