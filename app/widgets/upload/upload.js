// A field to choose or drop one file. A file that is too large is refused here: on the server it
// would close the connection without a message.
function render({ model, el }) {
  const zone = document.createElement("label");
  zone.className = "ws-upload";
  const input = document.createElement("input");
  input.type = "file";
  input.accept = model.get("accept");
  input.setAttribute("aria-label", model.get("label"));
  const words = document.createElement("span");
  const complaint = document.createElement("p");
  complaint.className = "ws-upload-complaint";
  complaint.setAttribute("role", "alert");
  zone.append(input, words);
  el.append(zone, complaint);
  if (model.get("paste")) el.append(pasteField((text) => take(new File([text], "pasted.txt"))));

  const invite = () => {
    words.innerHTML = "<b>Choose a file</b> or drop it here";
  };

  async function take(file) {
    complaint.textContent = "";
    if (!file) return;
    if (file.size > model.get("limit")) {
      complaint.textContent = `${file.name} is larger than ${model.get("limit_text")}, the limit here.`;
      return;
    }
    const name = document.createElement("span");
    name.className = "ws-upload-name";
    name.textContent = file.name;
    words.innerHTML = "<b>Choose another file</b> or drop it here";
    words.prepend(name);
    try {
      const content = await file.arrayBuffer();
      model.send({ kind: "file", name: file.name }, undefined, [content]);
    } catch {
      complaint.textContent = `${file.name} cannot be read; it may have been changed or removed.`;
    }
  }

  input.addEventListener("change", async () => {
    await take(input.files[0]);
    // The same file can be chosen again after it was corrected.
    input.value = "";
  });
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    take(event.dataTransfer.files[0]);
  });
  invite();
}

/** A field for a few lines of text, which are taken like a file. */
function pasteField(take) {
  const box = document.createElement("details");
  box.className = "ws-paste";
  const summary = document.createElement("summary");
  summary.textContent = "or paste lines";
  const field = document.createElement("textarea");
  field.rows = 6;
  field.placeholder = "0 1\n0 2 2.5\nAnna Bob 3";
  field.setAttribute("aria-label", "lines of two ends and perhaps a number");
  field.style.width = "100%";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Use these lines";
  button.addEventListener("click", () => field.value.trim() && take(field.value));
  box.append(summary, field, button);
  return box;
}

export default { render };
