import type { Words } from './en.ts'

/** Swahili. */
export const sw: Words = {
  language: 'sw',

  pay: 'Lipa',
  start: 'Endelea kulipa',
  cancel: 'Ghairi',
  retry: 'Jaribu tena',
  startAgain: 'Anza upya',
  payRest: (amount) => `Lipa ${amount} iliyobaki`,
  openPage: 'Fungua ukurasa wa malipo',
  returnToPage: 'Rudi kwenye ukurasa wa malipo',
  opensInNewTab: 'hufunguka kwenye kichupo kipya',

  opening: 'Ukurasa wa malipo unafunguka…',
  testMode: 'Hali ya majaribio',
  testModeDetail: 'Hakuna pesa halisi zinazotumika.',
  timeLeft: 'Muda uliobaki wa kulipa',
  timeUp: 'Muda wa kulipa umeisha. Tunaangalia mara moja zaidi.',
  reference: 'Kumbukumbu',
  paidOn: 'Tarehe ya malipo',
  method: 'Njia ya malipo',

  detailsTitle: 'Nani analipa?',
  payer_name: 'Jina kamili',
  payer_email: 'Anwani ya barua pepe',
  payer_msisdn: 'Namba ya simu',
  msisdnHint: 'Namba unayolipia.',
  msisdnHintInternational: 'Pamoja na msimbo wa nchi, kwa mfano +254 700 000 001.',
  problem: {
    payer_name: 'Andika jina lako kamili, lisilozidi herufi 100.',
    payer_email: 'Andika anwani ya barua pepe, kama jina@mfano.com.',
    payer_msisdn: 'Andika namba ya simu, pamoja na msimbo wa nchi kama ni ya nje.',
  },
  required: 'Tafadhali lipa kabla ya kuendelea.',

  checking: { title: 'Tunaangalia malipo yako', detail: 'Subiri kidogo, tunatafuta taarifa za karibuni.' },
  blocked: {
    title: 'Kivinjari chako kimezuia ukurasa wa malipo',
    detail: 'Ufungue mwenyewe; tutasubiri hapa.',
  },
  waiting: {
    title: 'Tunasubiri malipo yako',
    detail: 'Maliza kwenye ukurasa wa malipo. Tutathibitisha hapa.',
  },
  prompted: {
    title: 'Thibitisha malipo kwenye simu yako',
    detail: 'Simu yako ikiomba PIN, iweke ili kuidhinisha. Tutathibitisha malipo hapa.',
  },
  pageClosed: 'Bado hayajathibitishwa. Kama tayari umeidhinisha malipo, subiri hapa.',
  paid: (amount) => ({ title: 'Imelipwa', detail: `Tumepokea ${amount}. Asante.` }),
  overpaid: (amount, excess) => ({
    title: 'Imelipwa',
    detail: `Tumepokea ${amount}. Hiyo ni ${excess} zaidi ya kiasi kilichoombwa; tafadhali wasiliana na duka.`,
  }),
  partial: (paid, remaining) => ({
    title: 'Imelipwa kwa sehemu',
    detail: `Tumepokea ${paid}. Bado ${remaining} haijalipwa.`,
  }),
  partialEnded: (paid, remaining) => ({
    title: 'Imelipwa kwa sehemu, muda umeisha',
    detail: `Tumepokea ${paid}. ${remaining} haikulipwa kwa wakati. Tafadhali wasiliana na duka.`,
  }),
  unpaid: {
    title: 'Jaribio hilo halikufanikiwa',
    detail: 'Bado hakuna malipo yaliyothibitishwa. Unaweza kujaribu tena.',
  },
  unpaidEnded: {
    title: 'Haijalipwa',
    detail: 'Muda wa kulipa umeisha na hakuna malipo yaliyothibitishwa. Unaweza kuanza upya.',
  },
  expired: { title: 'Muda wa kulipa umeisha', detail: 'Hakuna malipo yaliyofanyika. Unaweza kuanza upya.' },
  reversed: (amount) => ({
    title: 'Malipo yamebatilishwa',
    detail: `Malipo ya ${amount} yamebatilishwa. Tafadhali wasiliana na duka.`,
  }),
  refunded: (amount) => ({ title: 'Pesa zimerudishwa', detail: `Malipo ya ${amount} yamerudishwa.` }),
  jammed: {
    title: 'Malipo yako yanahitaji kuangaliwa',
    detail: 'Yamekwama kwenye huduma ya malipo na yatashughulikiwa. Tafadhali usilipe tena.',
  },
  pending: {
    title: 'Malipo yako yako njiani',
    detail: 'Huduma ya malipo bado inayashughulikia. Tafadhali usilipe tena.',
  },
  review: {
    title: 'Tunayakagua malipo haya',
    detail: 'Kuna jambo lisilolingana na oda. Duka litaliangalia; tafadhali usilipe tena.',
  },

  offline: 'Inaonekana huna mtandao. Tutaangalia tena mara utakaporudi.',
  troubled: 'Hatupati taarifa kwa sasa. Bado tunaangalia.',

  failureTitle: 'Malipo hayakuweza kuanza',
  failure: {
    connection: 'Hatukuweza kufikia huduma ya malipo. Angalia mtandao wako kisha ujaribu tena.',
    busy: 'Huduma ya malipo haijibu kwa sasa. Tafadhali jaribu tena baada ya muda mfupi.',
    order: 'Hatukuipata oda hii. Tafadhali rudi dukani ujaribu tena.',
    orderExpired: 'Oda hii si halali tena. Tafadhali rudi dukani uagize upya.',
    notPayable: 'Oda hii haiwezi kulipwa tena. Wasiliana na duka ikiwa unadhani inapaswa kulipwa.',
    orderChanged: 'Oda hii imebadilika tangu uanze kulipa. Maliza malipo ya kwanza, au subiri hadi yaishe.',
    refused: 'Huduma ya malipo haikukubali malipo haya. Tafadhali wasiliana na duka.',
    unknownCheckout: 'Hatukuyapata malipo haya. Kama umelipa, tafadhali wasiliana na duka.',
    setUp: 'Kulipa hapa hakuwezekani kwa sasa. Tafadhali wasiliana na duka.',
  },
}
