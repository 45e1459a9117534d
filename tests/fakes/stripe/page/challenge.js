/** The answer to the bank goes to the page that asked. */
for (const button of document.querySelectorAll('button'))
  button.addEventListener('click', () => parent.postMessage({ type: 'answer', agrees: button.dataset.agrees === 'true' }, '*'));
// Buttons that did nothing yet are not to be pressed.
for (const part of document.querySelectorAll('[hidden]')) part.hidden = false;
