/**
 * A small replacement for PayPal's script, as far as the shop uses it: a button, which opens a window of PayPal's own origin
 * that answers the opening page, so that the page's policies are tested.
 *
 * https://developer.paypal.com/sdk/js/reference/ · https://developer.paypal.com/sdk/js/configuration/
 */
(() => {
  const query = new URL(document.currentScript.src).searchParams;
  const wallet = 'https://www.sandbox.paypal.com';
  const words = { en_CA: 'Pay with PayPal', zh_CN: '使用 PayPal 付款' };
  const label = words[query.get('locale')];
  if (!query.get('client-id') || query.get('intent') !== 'capture' || !query.get('currency') || !label)
    throw new Error(`SDK Validation error: ${query}`);

  /** Resolves when the customer approves or closes the window. */
  function answerOf(popup, orderID) {
    return new Promise((done) => {
      const closed = setInterval(() => popup.closed && finish('closed'), 50);
      const hear = ({ source, origin, data }) => source === popup && origin === wallet && finish(data);
      const finish = (answer) => {
        clearInterval(closed);
        window.removeEventListener('message', hear);
        if (answer !== 'approved') popup.close();
        done(answer);
      };
      window.addEventListener('message', hear);
      popup.location.href = `${wallet}/checkoutnow?token=${encodeURIComponent(orderID)}`;
    });
  }

  function Buttons({ style, createOrder, onApprove, onCancel, onError }) {
    const frame = document.createElement('div');
    const press = async () => {
      // At once, while the browser still treats it as a response to the click.
      const popup = window.open('', 'paypal', 'width=450,height=600');
      try {
        const orderID = await createOrder();
        for (let again = true; again; ) {
          again = false;
          const answer = await answerOf(popup, orderID);
          if (answer !== 'approved') return onCancel({ orderID });
          // The window stays until the shop has answered, in case it is needed again.
          await onApprove({ orderID, payerID: 'QYR5Z8XDVJNXQ' }, { restart: () => (again = true) });
        }
        popup.close();
      } catch (error) {
        popup?.close();
        onError(error);
      }
    };
    return {
      isEligible: () => true,
      async render(into) {
        const sheet = document.createElement('style');
        sheet.textContent = `.fake-paypal { width: 100%; height: ${style.height}px; border: 0; border-radius: 4px; background: #ffc439; color: #111; font: inherit }`;
        const button = Object.assign(document.createElement('button'), {
          type: 'button',
          className: 'fake-paypal',
          textContent: label,
        });
        button.addEventListener('click', () => void press());
        frame.append(sheet, button);
        into.append(frame);
      },
      async close() {
        frame.remove();
      },
    };
  }

  window.paypal = { FUNDING: { PAYPAL: 'paypal' }, Buttons };
})();
