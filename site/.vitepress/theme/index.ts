import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import RunBlock from "./RunBlock.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("RunBlock", RunBlock);
  },
} satisfies Theme;
