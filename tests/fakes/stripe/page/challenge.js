/** The answer to the bank goes to the page that asked. */
for (const button of document.querySelectorAll('button'))
  button.addEventListener('click', () => parent.postMessage({ type: 'answer', agrees: button.dataset.agrees === 'true' }, '*'));
