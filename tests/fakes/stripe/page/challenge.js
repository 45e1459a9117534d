/** Sends the answer of the bank's challenge to the page that asked. */
for (const button of document.querySelectorAll('button'))
  button.addEventListener('click', () =>
    parent.postMessage({ type: 'answer', agrees: button.dataset.agrees === 'true' }, '*'),
  );
// Buttons are disabled until their handlers exist.
for (const part of document.querySelectorAll('[hidden]')) part.hidden = false;
