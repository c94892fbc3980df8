/** Entry: sets the session to work and draws the application. */
import 'antd/dist/reset.css';
import './kit/kit.css';
import './app/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { SHELL } from './app/areas';
import { loadTexts } from './i18n';
import { logError, watchErrors } from './session/errorLog';

watchErrors();

function draw() {
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

// Before its texts are there the shell would show their keys. If they do not come, that is better than nothing.
loadTexts(SHELL)
  .catch((error) => logError(error, 'error'))
  .finally(draw);
