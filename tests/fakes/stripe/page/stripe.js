/**
 * A small replacement for Stripe.js, as far as the shop uses it. Like the real one it runs the form in a frame of its own
 * origin and calls api.stripe.com from the page, so that the page's policy is tested.
 *
 * https://docs.stripe.com/js/elements_object/create_without_intent · /js/elements/submit
 * https://docs.stripe.com/js/confirmation_tokens/create_confirmation_token
 * https://docs.stripe.com/js/payment_intents/handle_next_action
 */
(() => {
  const scripts = 'https://js.stripe.com';
  const hooks = 'https://hooks.stripe.com';
  const api = 'https://api.stripe.com/v1';

  /** Form-encodes nested values, `a[b]=c`. */
  function encode(object, prefix = '') {
    return Object.entries(object).flatMap(([name, value]) => {
      const key = prefix ? `${prefix}[${name}]` : name;
      if (value === undefined || value === null) return [];
      return typeof value === 'object' ? encode(value, key) : [[key, String(value)]];
    });
  }

  async function call(key, method, path, params) {
    const form = new URLSearchParams([['key', key], ...encode(params)]);
    const answer =
      method === 'GET'
        ? await fetch(`${api}${path}?${form}`)
        : await fetch(`${api}${path}`, { method, body: form });
    const body = await answer.json();
    return body.error ? { error: body.error } : { value: body };
  }

  const offline = (error) => ({
    error: { type: 'api_connection_error', message: `We are experiencing issues: ${error.message}` },
  });

  /** A frame that answers one question at a time. */
  function createFrame(src, title, onMessage) {
    const frame = document.createElement('iframe');
    const origin = new URL(src).origin;
    const waiting = new Map();
    let asked = 0;
    Object.assign(frame, { src, title, allow: 'payment *' });
    Object.assign(frame.style, { border: '0', width: '100%', display: 'block' });
    const listen = ({ source, data }) => {
      if (source !== frame.contentWindow) return;
      if (data.answerTo !== undefined) waiting.get(data.answerTo)?.(data.answer);
      else onMessage(data);
    };
    addEventListener('message', listen);
    return {
      frame,
      tell: (message) => frame.contentWindow?.postMessage(message, origin),
      ask(question, details) {
        asked += 1;
        frame.contentWindow?.postMessage({ question, details, number: asked }, origin);
        return new Promise((done) => waiting.set(asked, done));
      },
      remove() {
        removeEventListener('message', listen);
        frame.remove();
      },
    };
  }

  function createElement(group, options) {
    const listeners = new Map();
    const emit = (type, event) => {
      for (const listener of listeners.get(type) ?? []) listener({ elementType: 'payment', ...event });
    };
    const settings = () => ({ ...group.options, ...options, locale: group.options.locale ?? group.locale });
    const held = createFrame(`${scripts}/element.html`, 'Secure payment input frame', (message) => {
      if (message.type === 'loaded') held.tell({ settings: settings() });
      if (message.type === 'height') held.frame.style.height = `${message.height}px`;
      if (message.type === 'ready') emit('ready', {});
      if (message.type === 'change')
        emit('change', {
          complete: message.complete,
          empty: false,
          collapsed: false,
          value: { type: message.method },
        });
    });
    const element = {
      _componentName: 'payment',
      held,
      mount: (node) => node.append(held.frame),
      unmount: () => held.frame.remove(),
      destroy: () => held.remove(),
      focus: () => held.tell({ focus: true }),
      blur() {},
      update(changes) {
        Object.assign(options, changes);
        held.tell({ settings: settings() });
        return element;
      },
      on(type, listener) {
        listeners.set(type, [...(listeners.get(type) ?? []), listener]);
        return element;
      },
      once: (type, listener) => element.on(type, listener),
      off(type, listener) {
        listeners.set(
          type,
          (listeners.get(type) ?? []).filter((each) => each !== listener),
        );
        return element;
      },
    };
    group.refresh = () => held.tell({ settings: settings() });
    return element;
  }

  function createGroup(options, locale) {
    const group = { options: { ...options }, locale, element: null, refresh() {} };
    return {
      group,
      create(_type, elementOptions = {}) {
        group.element = createElement(group, { ...elementOptions });
        return group.element;
      },
      getElement: () => group.element,
      update(changes) {
        Object.assign(group.options, changes);
        group.refresh();
      },
      async fetchUpdates() {
        return {};
      },
      async submit() {
        return group.element.held.ask('submit');
      },
      on() {},
    };
  }

  /** The bank's window: agree, decline, or close it, which counts as declining. */
  async function askHolder(key, intent, clientSecret) {
    const veil = document.createElement('div');
    Object.assign(veil.style, {
      position: 'fixed',
      inset: '0',
      zIndex: '2147483647',
      background: 'rgba(0,0,0,.5)',
      display: 'grid',
      placeItems: 'center',
    });
    const agrees = await new Promise((done) => {
      const held = createFrame(`${hooks}/3d_secure_2/challenge.html`, '3D Secure', (message) => {
        if (message.type !== 'answer') return;
        // Removed with a delay: the click that answers is still being handled in the frame.
        veil.style.visibility = 'hidden';
        held.frame.title = '';
        setTimeout(() => {
          held.remove();
          veil.remove();
        }, 1000);
        done(message.agrees);
      });
      Object.assign(held.frame.style, { width: '360px', maxWidth: '95vw', height: '300px' });
      veil.append(held.frame);
      document.body.append(veil);
    });
    const { error } = await call(key, 'POST', `/3ds2/answer/${intent.id}`, {
      client_secret: clientSecret,
      agrees,
    });
    if (error) return { error };
    const { value: after, error: lost } = await call(key, 'GET', `/payment_intents/${intent.id}`, {
      client_secret: clientSecret,
    });
    if (lost) return { error: lost };
    return after.status === 'requires_payment_method'
      ? { error: { ...after.last_payment_error, payment_intent: after } }
      : { paymentIntent: after };
  }

  async function handleNextAction(key, { clientSecret }) {
    const id = clientSecret.split('_secret_')[0];
    const { value: intent, error } = await call(key, 'GET', `/payment_intents/${id}`, {
      client_secret: clientSecret,
    });
    if (error) return { error };
    if (intent.status !== 'requires_action') {
      const message = `handleNextAction: the PaymentIntent supplied is not in the requires_action state.`;
      return {
        error: {
          type: 'invalid_request_error',
          code: 'payment_intent_unexpected_state',
          message,
          payment_intent: intent,
        },
      };
    }
    if (intent.next_action.type === 'redirect_to_url') {
      location.assign(intent.next_action.redirect_to_url.url);
      return new Promise(() => {});
    }
    return askHolder(key, intent, clientSecret);
  }

  async function createConfirmationToken(key, { elements, params = {} }) {
    const { type, card } = await elements.group.element.held.ask('collect');
    const data = { type, ...(card ? { card } : {}), ...params.payment_method_data };
    const { value, error } = await call(key, 'POST', '/confirmation_tokens', {
      ...params,
      payment_method_data: data,
    });
    return error ? { error } : { confirmationToken: value };
  }

  const notFaked = () => {
    throw new Error('The stand-in for Stripe.js has no such call');
  };

  window.Stripe = Object.assign(
    (key, { locale } = {}) => ({
      elements: (options) => createGroup(options, locale),
      createConfirmationToken: (options) => createConfirmationToken(key, options).catch(offline),
      handleNextAction: (options) => handleNextAction(key, options).catch(offline),
      registerAppInfo() {},
      _registerWrapper() {},
      createToken: notFaked,
      createPaymentMethod: notFaked,
      confirmCardPayment: notFaked,
    }),
    // The release that the loader requests and compares.
    { version: 'endive' },
  );
})();
