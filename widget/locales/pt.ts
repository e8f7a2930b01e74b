import type { Words } from './en.ts'

/** Portuguese, as in Mozambique. */
const pt: Words = {
  language: 'pt',
  dir: 'ltr',

  pay: 'Pagar',
  cancel: 'Cancelar',
  retry: 'Tentar de novo',
  openPage: 'Ir para a página de pagamento',

  testMode: 'Modo de teste: sem dinheiro real.',
  timeLeft: 'Tempo restante:',
  reference: 'Referência:',

  payer_name: 'Nome completo',
  payer_email: 'Endereço de e-mail',
  payer_msisdn: 'Número de telemóvel',
  problem: {
    payer_name: 'Escreva o seu nome completo.',
    payer_email: 'Escreva o seu endereço de e-mail, como nome@exemplo.com.',
    payer_msisdn: 'Escreva o seu número de telemóvel, com o indicativo.',
  },
  required: 'Por favor, pague primeiro.',

  sentence: {
    starting: ['A abrir a página de pagamento…', ''],
    checking: ['A verificar o seu pagamento', ''],
    blocked: ['O seu navegador bloqueou a página de pagamento', 'Por favor, abra-a aqui.'],
    waiting: ['À espera do seu pagamento', 'Vamos confirmá-lo aqui.'],
    closed: [
      'Ainda não confirmado',
      'Se já pagou, por favor, aguarde. Se não, vá para a página de pagamento.',
    ],
    prompted: ['Confirme o pagamento no seu telemóvel', 'Escreva o seu PIN se for pedido.'],
    paid: ['Pago', 'Recebemos {paid}. Obrigado.'],
    overpaid: ['Pago', 'Recebemos {paid}, ou seja, {rest} a mais. Por favor, contacte a loja.'],
    partial: ['Pago em parte', 'Recebemos {paid}. Ainda falta pagar {rest}.'],
    partialEnded: [
      'Pago em parte',
      'Recebemos {paid}. O resto, {rest}, não foi pago a tempo. Por favor, contacte a loja.',
    ],
    unpaid: ['Essa tentativa não resultou', 'Nenhum pagamento foi ainda confirmado. Pode tentar de novo.'],
    unpaidEnded: ['Não pago', 'Nenhum pagamento foi confirmado. Pode tentar de novo.'],
    expired: ['Tarde demais para pagar', 'Nenhum pagamento foi confirmado. Pode tentar de novo.'],
    reversed: ['Pagamento revertido', 'O pagamento de {asked} foi revertido. Por favor, contacte a loja.'],
    refunded: ['Reembolsado', 'O pagamento de {asked} foi reembolsado.'],
    jammed: ['O seu pagamento está atrasado', 'Vamos confirmá-lo aqui. Por favor, não pague de novo.'],
    pending: ['O seu pagamento está a caminho', 'Vamos confirmá-lo aqui. Por favor, não pague de novo.'],
    review: ['O seu pagamento está a ser verificado', 'A loja vai analisá-lo. Por favor, não pague de novo.'],
  },

  offline: 'Parece que está sem ligação. Continuamos a verificar.',
  troubled: 'Ainda não há notícias. Continuamos a verificar.',

  failureTitle: 'Não foi possível iniciar o pagamento',
  failure: {
    network: 'O serviço de pagamento não responde. Por favor, verifique a sua ligação.',
    order_unknown: 'Não encontrámos esta encomenda. Por favor, contacte a loja.',
    order_expired: 'Esta encomenda já não pode ser paga. Por favor, encomende de novo.',
    order_not_payable: 'Esta encomenda já não pode ser paga. Por favor, contacte a loja.',
    order_changed: 'Esta encomenda mudou. Por favor, tente de novo mais tarde.',
    unknown_checkout: 'Não encontrámos este pagamento. Se já pagou, por favor, contacte a loja.',
    again: 'O serviço de pagamento não responde. Por favor, tente de novo.',
    other: 'De momento não pode pagar aqui. Por favor, contacte a loja.',
  },
}

export default pt
