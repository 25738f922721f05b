"use strict";
// Search over all entries: the words lie in search/NNNNN.js and are loaded at the first letter.
(function () {
  var box = document.getElementById("search");
  var list = document.getElementById("found");
  var said = document.getElementById("said");
  var root = box.dataset.root;
  var rows = [];
  var asked = false;
  var ended = false;

  // The last file holds no rows.
  window.benchloomFound = function (more) {
    ended = !more.length;
    more.forEach(function (row) {
      rows.push({ name: row[0], by: row[1], page: row[2], words: (row[0] + " " + row[1]).toLowerCase() + " " + row[3] });
    });
  };

  function load(number) {
    var script = document.createElement("script");
    script.src = root + "search/" + String(number).padStart(5, "0") + ".js";
    script.onload = function () { show(); if (!ended) { load(number + 1); } };
    script.onerror = function () { ended = true; show(); };
    document.head.appendChild(script);
  }

  function show() {
    var words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.textContent = "";
    said.textContent = "";
    if (!words.length) { return; }
    var hits = rows.filter(function (row) {
      return words.every(function (word) { return row.words.indexOf(word) >= 0; });
    });
    hits.slice(0, 50).forEach(function (row) {
      var line = document.createElement("li");
      var link = document.createElement("a");
      link.href = root + row.page;
      link.textContent = row.name;
      line.appendChild(link);
      line.appendChild(document.createTextNode(" (" + row.by + ")"));
      list.appendChild(line);
    });
    var shown = hits.length > 50 ? "The first 50 of " + hits.length + " found" : hits.length + " found";
    said.textContent = shown + (ended ? "" : ", still searching") + ".";
  }

  // Whoever was led to an entry wants its steps.
  function open() {
    var entry = document.getElementById(location.hash.slice(1));
    var steps = entry && entry.querySelector("details");
    if (steps) { steps.open = true; }
  }

  window.addEventListener("hashchange", open);
  open();
  box.addEventListener("input", function () {
    if (!asked) { asked = true; load(0); }
    show();
  });
  if (location.hash.indexOf("#search=") === 0) {
    box.value = decodeURIComponent(location.hash.slice(8));
    asked = true;
    load(0);
  }
}());
