import type { Words } from './en.ts'

/** Swahili. */
export const sw: Words = {
  language: 'sw',

  pay: 'Lipa',
  next: 'Endelea kulipa',
  cancel: 'Ghairi',
  retry: 'Jaribu tena',
  restart: 'Anza upya',
  payRest: 'Lipa {rest} iliyobaki',
  openPage: 'Fungua ukurasa wa malipo',
  returnToPage: 'Rudi kwenye ukurasa wa malipo',

  testMode: 'Hali ya majaribio',
  testModeDetail: 'Hakuna pesa halisi zinazotumika.',
  timeLeft: 'Muda uliobaki wa kulipa: {time}',
  reference: 'Kumbukumbu',
  paidOn: 'Tarehe ya malipo',
  method: 'Njia ya malipo',

  payer: 'Nani analipa?',
  payer_name: 'Jina kamili',
  payer_email: 'Anwani ya barua pepe',
  payer_msisdn: 'Namba ya simu',
  hint: 'Pamoja na msimbo wa nchi, kwa mfano +254 700 000 001.',
  problem: {
    payer_name: 'Andika jina lako kamili.',
    payer_email: 'Andika anwani yako ya barua pepe, kama jina@mfano.com.',
    payer_msisdn: 'Andika namba yako ya simu, pamoja na msimbo wa nchi.',
  },
  required: 'Tafadhali lipa kabla ya kuendelea.',

  sentence: {
    starting: ['Ukurasa wa malipo unafunguka…', ''],
    checking: ['Tunaangalia malipo yako', 'Subiri kidogo.'],
    blocked: ['Kivinjari chako kimezuia ukurasa wa malipo', 'Ufungue mwenyewe; tutasubiri hapa.'],
    waiting: ['Tunasubiri malipo yako', 'Maliza kwenye ukurasa wa malipo. Tutathibitisha hapa.'],
    closed: [
      'Bado hayajathibitishwa',
      'Kama tayari umeidhinisha malipo, subiri hapa. Kama bado, fungua tena ukurasa wa malipo.',
    ],
    prompted: [
      'Thibitisha malipo kwenye simu yako',
      'Simu yako ikiomba PIN, iweke ili kuidhinisha. Tutathibitisha malipo hapa.',
    ],
    paid: ['Imelipwa', 'Tumepokea {paid}. Asante.'],
    overpaid: ['Imelipwa', 'Tumepokea {paid}, ambayo imezidi kwa {rest}. Tafadhali wasiliana na duka.'],
    partial: ['Imelipwa kwa sehemu', 'Tumepokea {paid}. Bado {rest} haijalipwa.'],
    partialEnded: [
      'Imelipwa kwa sehemu, muda wa salio umeisha',
      'Tumepokea {paid}. {rest} haikulipwa kwa wakati. Tafadhali wasiliana na duka.',
    ],
    unpaid: ['Jaribio hilo halikufanikiwa', 'Bado hakuna malipo yaliyothibitishwa. Unaweza kujaribu tena.'],
    unpaidEnded: [
      'Haijalipwa',
      'Muda wa kulipa umeisha na hakuna malipo yaliyothibitishwa. Unaweza kuanza upya.',
    ],
    expired: ['Muda wa kulipa umeisha', 'Hakuna malipo yaliyofanyika. Unaweza kuanza upya.'],
    reversed: ['Malipo yamebatilishwa', 'Malipo ya {asked} yamebatilishwa. Tafadhali wasiliana na duka.'],
    refunded: ['Pesa zimerudishwa', 'Malipo ya {asked} yamerudishwa.'],
    jammed: ['Malipo yako yamekwama', 'Huduma ya malipo itayashughulikia. Tafadhali usilipe tena.'],
    pending: ['Malipo yako yako njiani', 'Tutathibitisha hapa. Tafadhali usilipe tena.'],
    review: ['Malipo yako yanakaguliwa', 'Hayalingani na oda. Duka litayaangalia. Tafadhali usilipe tena.'],
  },

  offline: 'Inaonekana huna mtandao. Tutaendelea kuangalia.',
  troubled: 'Hakuna taarifa kwa sasa. Bado tunaangalia.',

  failureTitle: 'Malipo hayakuweza kuanza',
  failure: {
    network: 'Hatukuweza kufikia huduma ya malipo. Tafadhali angalia mtandao wako ujaribu tena.',
    order_unknown: 'Hatukuipata oda hii. Tafadhali rudi dukani ujaribu tena.',
    order_expired: 'Oda hii si halali tena. Tafadhali rudi dukani uagize upya.',
    order_not_payable: 'Oda hii haiwezi kulipwa tena. Tafadhali wasiliana na duka.',
    order_changed: 'Oda hii imebadilika tangu uanze kulipa. Tafadhali subiri hadi malipo hayo yaishe.',
    gateway_refused: 'Huduma ya malipo haikukubali malipo haya. Tafadhali wasiliana na duka.',
    unknown_checkout: 'Hatukuyapata malipo haya. Kama umelipa, tafadhali wasiliana na duka.',
    again: 'Huduma ya malipo haijibu. Tafadhali jaribu tena baada ya muda mfupi.',
    other: 'Kulipa hapa hakuwezekani kwa sasa. Tafadhali wasiliana na duka.',
  },
}
