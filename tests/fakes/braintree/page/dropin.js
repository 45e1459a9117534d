/**
 * A small replacement for Braintree's drop-in, as far as the shop uses it. Like the real one it is part of the page, with a
 * style sheet of its own, holds a card's nonce until it is cleared, and calls Braintree's API.
 *
 * https://braintree.github.io/braintree-web-drop-in/docs/current/module-braintree-web-drop-in.html
 */
(() => {
  const words = {
    en: {
      number: 'Card Number',
      expiry: 'Expiration Date',
      error: 'Please fill out a card number.',
      code: 'Code',
      ok: 'Submit',
      no: 'Cancel',
    },
    zh_CN: {
      number: '卡号',
      expiry: '有效期',
      error: '请填写卡号。',
      code: '验证码',
      ok: '提交',
      no: '取消',
    },
  };

  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  /** The bank's question, as far as the customer sees it: 1234 is correct. */
  function challenge(text) {
    return new Promise((done) => {
      const code = make('input', { name: 'bank-code' });
      const dialog = make(
        'dialog',
        { ariaLabel: '3D Secure' },
        make('label', {}, text.code, ' ', code),
        make('button', { type: 'button', textContent: text.ok, onclick: () => end(code.value === '1234') }),
        make('button', { type: 'button', textContent: text.no, onclick: () => end(null) }),
      );
      const end = (answer) => {
        dialog.remove();
        done(answer);
      };
      document.body.append(dialog);
      dialog.showModal();
    });
  }

  async function create({
    authorization,
    container,
    locale = 'en',
    threeDSecure = false,
    dataCollector = false,
  }) {
    if (container.childElementCount > 0)
      throw new Error('options.selector or options.container must reference an empty DOM node.');
    const { clientApiUrl, threeDSecureEnabled } = JSON.parse(atob(authorization));
    const api = new URL(clientApiUrl);
    const ask = async (path, body) => {
      const answer = await fetch(`${api.origin}${api.pathname}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error('The tokenization failed.');
      return answer.json();
    };
    await ask('/v1/configuration', {});
    if (threeDSecure && !threeDSecureEnabled) throw new Error('3D Secure is not enabled for this merchant.');

    const text = words[locale] ?? words[locale.split('_')[0]] ?? words.en;
    const listeners = new Map();
    const emit = (name) => {
      for (const listener of listeners.get(name) ?? []) listener({});
    };
    const number = make('input', {
      inputMode: 'numeric',
      autocomplete: 'cc-number',
      onfocus: () => emit('card:focus'),
    });
    const expiry = make('input', { inputMode: 'numeric', autocomplete: 'cc-exp' });
    const error = make('p', { className: 'fake-error' });
    const sheet = make('style', {
      textContent:
        '.fake-dropin { display: grid; gap: 12px; padding: 16px; border: 1px solid #888; border-radius: 6px; background: #fff; color: #111 } .fake-dropin input { display: block; width: 100%; padding: 8px; border: 1px solid #666; background: #fff; color: #111 } .fake-error { color: #a00 }',
    });
    const form = make(
      'div',
      { className: 'fake-dropin' },
      make('label', {}, text.number, number),
      make('label', {}, text.expiry, expiry),
      error,
    );
    container.append(sheet, form);
    let kept = null;

    return {
      isPaymentMethodRequestable: () => kept !== null || (number.value !== '' && expiry.value !== ''),
      async requestPaymentMethod(options) {
        error.textContent = number.value ? '' : text.error;
        if (!number.value || !expiry.value) {
          number.focus();
          throw new Error('No payment method is available.');
        }
        kept ??= await ask('/v1/payment_methods/credit_cards', { number: number.value });
        const payload = {
          nonce: kept.nonce,
          type: 'CreditCard',
          details: {},
          liabilityShiftPossible: false,
          liabilityShifted: false,
          ...(dataCollector ? { deviceData: JSON.stringify({ correlation_id: 'fake-device-session' }) } : {}),
        };
        if (!threeDSecure || !kept.asksHolder) return payload;
        if (!options?.threeDSecure?.amount) throw new Error('An amount is required for 3D Secure.');
        const answered = await challenge(text);
        if (answered === null) throw new Error('The payment was cancelled.');
        if (answered) await ask(`/v1/payment_methods/${kept.nonce}/three_d_secure/authenticate`, {});
        return { ...payload, liabilityShiftPossible: true, liabilityShifted: answered };
      },
      clearSelectedPaymentMethod() {
        kept = null;
        number.value = '';
        expiry.value = '';
      },
      on(name, listener) {
        listeners.set(name, [...(listeners.get(name) ?? []), listener]);
      },
      async teardown() {
        container.replaceChildren();
      },
    };
  }

  window.braintree = { dropin: { create, VERSION: 'fake' } };
})();
