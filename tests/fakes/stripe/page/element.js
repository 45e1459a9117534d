/** The replacement for the Payment Element: a card, and one method that redirects the customer. */
const texts = {
  en: {
    ways: 'Ways to pay',
    card: 'Card',
    alipay: 'Alipay',
    number: 'Card number',
    expiry: 'Expiration date',
    cvc: 'Security code',
    elsewhere: 'You will be taken to Alipay to complete your purchase.',
    numberError: 'Your card number is incomplete.',
    expiryError: "Your card's expiration date is incomplete.",
    cvcError: "Your card's security code is incomplete.",
  },
  zh: {
    ways: '付款方式',
    card: '银行卡',
    alipay: '支付宝',
    number: '卡号',
    expiry: '有效期',
    cvc: '安全码',
    elsewhere: '您将前往支付宝完成付款。',
    numberError: '您的卡号不完整。',
    expiryError: '您的银行卡有效期不完整。',
    cvcError: '您的银行卡安全码不完整。',
  },
};

const forms = { number: /^\d{12,19}$/, expiry: /^(0[1-9]|1[0-2])\/?\d\d$/, cvc: /^\d{3,4}$/ };
const find = (id) => document.getElementById(id);
const typed = (id) => find(id).value.replace(/\s/g, '');
const tell = (message) => parent.postMessage(message, '*');
let words = texts.en;

const method = () => document.querySelector('input[name="method"]:checked').value;

function show({ amount, locale, appearance, excludedPaymentMethodTypes = [], readOnly }) {
  // Wallets show it to the customer.
  document.documentElement.dataset.amount = amount;
  words = texts[locale] ?? texts.en;
  document.documentElement.lang = locale === 'zh' ? 'zh' : 'en';
  for (const node of document.querySelectorAll('[data-text]')) node.textContent = words[node.dataset.text];
  const { colorText, colorBackground, colorDanger } = appearance?.variables ?? {};
  const { style } = document.documentElement;
  style.setProperty('--text', colorText);
  style.setProperty('--background', colorBackground);
  style.setProperty('--danger', colorDanger);
  find('alipay').hidden = excludedPaymentMethodTypes.includes('alipay');
  for (const input of document.querySelectorAll('input')) input.readOnly = Boolean(readOnly);
  resize();
  tell({ type: 'ready' });
}

function resize() {
  for (const node of document.querySelectorAll('[data-card]')) node.hidden = method() !== 'card';
  document.querySelector('[data-elsewhere]').hidden = method() === 'card';
  tell({ type: 'height', height: document.documentElement.offsetHeight });
}

function mark(id, wrong) {
  find(`${id}-error`).textContent = wrong ? words[`${id}Error`] : '';
  if (wrong) find(id).setAttribute('aria-invalid', 'true');
  else find(id).removeAttribute('aria-invalid');
}

const questions = {
  submit() {
    if (method() !== 'card') return { selectedPaymentMethod: method() };
    const wrong = Object.keys(forms).filter((id) => !forms[id].test(typed(id)));
    for (const id of Object.keys(forms)) mark(id, wrong.includes(id));
    resize();
    if (wrong.length === 0) return { selectedPaymentMethod: 'card' };
    return {
      error: { type: 'validation_error', code: `incomplete_${wrong[0]}`, message: words[`${wrong[0]}Error`] },
    };
  },
  collect() {
    if (method() !== 'card') return { type: method() };
    const [month, year] = [typed('expiry').slice(0, 2), `20${typed('expiry').slice(-2)}`];
    return {
      type: 'card',
      card: { number: typed('number'), exp_month: month, exp_year: year, cvc: typed('cvc') },
    };
  },
};

addEventListener('message', ({ source, data }) => {
  if (source !== parent) return;
  if (data.settings) show(data.settings);
  if (data.focus) (document.querySelector('[aria-invalid="true"]') ?? find('number')).focus();
  if (data.question) tell({ answerTo: data.number, answer: questions[data.question]() });
});
addEventListener('input', ({ target }) => {
  if (forms[target.id]) mark(target.id, false);
  resize();
  tell({
    type: 'change',
    method: method(),
    complete: Object.keys(forms).every((id) => forms[id].test(typed(id))),
  });
});
tell({ type: 'loaded' });
