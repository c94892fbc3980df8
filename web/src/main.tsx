/** Entry: sets the session to work and draws the application. */
import 'antd/dist/reset.css';
import './kit/kit.css';
import './app/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { watchErrors } from './session/errorLog';

watchErrors();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
