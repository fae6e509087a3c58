import { render } from 'preact';
import { Frame } from './app/frame';
import { applyTheme } from './app/theme';
import './styles/base.css';
import './styles/frame.css';
import './styles/tabs.css';
import './styles/controls.css';
import './styles/tables.css';
import './styles/pages.css';
import './styles/disk.css';

applyTheme();
render(<Frame />, document.body);
